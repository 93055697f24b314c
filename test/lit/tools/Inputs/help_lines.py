"""help_lines.py KERN: the help of the tool and of each verb that it lists has
no line with a blank at its end, none of more than 90 columns, and nothing of
the form `(=…)`."""

import re
import subprocess
import sys


def help_of(*words):
    return subprocess.run([sys.argv[1], *words, "--help"], check=True,
                          capture_output=True, text=True).stdout


text = help_of()
verbs = re.findall(r"^  (\w+) ", text.split("verbs:\n")[1].split("\n\n")[0], re.M)
assert len(verbs) >= 10, verbs
for verb in [None, *verbs]:
    shown = help_of(verb) if verb else text
    assert shown.endswith("\n") and not shown.endswith("\n\n"), verb
    for line in shown.splitlines():
        assert line == line.rstrip(), (verb, line)
        assert "(=" not in line, (verb, line)
        assert len(line) <= 90, (verb, line)
