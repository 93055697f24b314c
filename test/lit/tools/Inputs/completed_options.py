"""completed_options.py KERN: each option that a verb's help shows is in the scripts for
bash, zsh and fish and on the manual page."""

import re
import subprocess
import sys


def said(*words):
    return subprocess.run([sys.argv[1], *words], capture_output=True, text=True,
                          check=True).stdout


scripts = {shell: said("completions", shell) for shell in ("bash", "zsh", "fish")}
manual = said("help", "--man").replace("\\-", "-")
verbs = re.findall(r"^  (\w+) ", said("--help").split("verbs:\n")[1].split("\n\n")[0], re.M)
count, missing = 0, []
for verb in verbs:
    parts = {
        "bash": scripts["bash"].split(f"\n    {verb})\n")[1].split("\n      words=")[0],
        "zsh": scripts["zsh"].split(f"\n        {verb})\n")[1].split(" ;;\n")[0],
        "fish": "\n".join(line for line in scripts["fish"].splitlines()
                          if f"from {verb}'" in line),
        "man": manual.split(f"\n.SS kern {verb}\n")[1].split("\n.S")[0],
    }
    for name in re.findall(r"^  (?:-\w, |    )--([\w-]+)", said(verb, "--help"), re.M):
        count += 1
        for where, text in parts.items():
            wanted = f"-l {name} " if where == "fish" else f"--{name}"
            if wanted not in text + " ":
                missing.append((verb, name, where))
for row in missing:
    print(*row)
print(f"{count} options, {len(missing)} missing")
