//===- Completions.cpp - kern completions ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Console.h"
#include "tools/kern/Help.h"

#include <algorithm>
#include <cstdio>

namespace kern::cli {
namespace {

/// In single quotes of a shell, whose escape for one is `quote`.
std::string quoted(std::string_view text, std::string_view quote) {
  std::string out = "'";
  for (char c : text)
    if (c == '\'')
      out += quote;
    else
      out += c;
  return out + "'";
}

std::string quotedForBash(std::string_view text) {
  return quoted(text, "'\\''");
}

/// In single quotes of fish, a backslash escapes only a quote or a backslash.
std::string quotedForFish(std::string_view text) {
  std::string out;
  for (char c : text)
    out.append(c == '\\' ? 1 : 0, '\\').append(1, c);
  return quoted(out, "\\'");
}

/// The values that can be completed for an option.
std::vector<std::string> valuesOf(const Option &option) {
  return option.words.empty() ? option.choices() : option.words;
}

bool takesFolder(const Option &option) { return option.value == "FOLDER"; }
bool takesFile(const Option &option) {
  return option.value == "FILE" || option.value == "MASK";
}

/// The file name endings of a verb's operands, without dots.
std::vector<std::string> endingsOf(const Verb &verb) {
  std::vector<std::string> endings;
  for (auto [word, end] :
       {std::pair("F.kern", "kern"), {"F.ptx", "ptx"}, {"INPUT", "npy"}})
    if (verb.operands.find(word) != verb.operands.npos)
      endings.emplace_back(end);
  return endings;
}

std::vector<std::string> wordsOf(const Verb &verb) {
  return verb.words ? verb.words() : std::vector<std::string>();
}

//===----------------------------------------------------------------------===//
// bash
//===----------------------------------------------------------------------===//

std::string bashVerb(const Verb &verb) {
  const CommandLine line(verb);
  std::string names, cases;
  for (const Option &option : line.options()) {
    const std::string name = "--" + option.name();
    names += (names.empty() ? "" : " ") + name;
    const std::vector<std::string> values = valuesOf(option);
    if (option.value.empty())
      continue;
    std::string pattern = name + "=";
    if (option.implied.empty())
      pattern +=
          "|" + name + (option.letter().empty() ? "" : "|-" + option.letter());
    cases += "      " + pattern + ") ";
    if (takesFolder(option))
      cases += "_kern_files; return";
    else if (takesFile(option))
      cases += "_kern_files ''; return";
    else
      cases += (option.isList ? "_kern_list " : "_kern_words ") +
               quotedForBash(joined(values, " ")) + "; return";
    cases += " ;;\n";
  }
  return "    " + std::string(verb.name) + ")\n      case $prev$equals in\n" +
         cases + "      esac\n      options=" + quotedForBash(names) +
         "\n      words=" + quotedForBash(joined(wordsOf(verb), " ")) +
         "\n      endings=" + quotedForBash(joined(endingsOf(verb), " ")) +
         " ;;\n";
}

constexpr const char *bashHead =
    R"sh(# bash completion for kern, made by `kern completions bash`.

# Folders, and files with one of the endings; '' is any file.
_kern_files() {
  local ending
  COMPREPLY=()
  mapfile -t COMPREPLY < <(
    compgen -d -- "$cur"
    for ending; do
      compgen -f -X "!*${ending:+.$ending}" -- "$cur"
    done | while IFS= read -r name; do [[ -d $name ]] || printf '%s\n' "$name"; done
  )
  compopt -o filenames 2>/dev/null
}

_kern_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# Words, also after a comma.
_kern_list() {
  local before=
  [[ $cur == *,* ]] && before=${cur%,*},
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
}

_kern() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  local verb= equals= options= words= endings= i
  # `--option=value` comes as three words.
  if [[ $cur == = ]]; then
    cur= equals==
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]} equals==
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --color)
        i=$((i + 1))
        [[ ${COMP_WORDS[i]} == = ]] && i=$((i + 1)) ;;
      -*) ;;
      *) verb=${COMP_WORDS[i]}; break ;;
    esac
  done
  case $verb in
)sh";

constexpr const char *bashTail = R"sh(  esac
  if [[ $cur == -* ]]; then
    _kern_words "$options"
    return
  fi
  [[ -n $endings ]] && _kern_files $endings
  local -a files=("${COMPREPLY[@]}")
  COMPREPLY=()
  [[ -n $words ]] && _kern_words "$words"
  COMPREPLY=("${files[@]}" "${COMPREPLY[@]}")
}

complete -F _kern kern
)sh";

std::string bashScript() {
  std::string options, names;
  for (const Option &option : toolOptions())
    options += (options.empty() ? "--" : " --") + option.name();
  for (const Verb *verb : verbs())
    names.append(names.empty() ? "" : " ").append(verb->name);
  std::string script = bashHead;
  script += "    '')\n      case $prev$equals in\n"
            "      --color|--color=) _kern_words 'auto always never'; return "
            ";;\n      esac\n      options=" +
            quotedForBash(options) + " words=" + quotedForBash(names) + " ;;\n";
  for (const Verb *verb : verbs())
    script += bashVerb(*verb);
  return script + bashTail;
}

//===----------------------------------------------------------------------===//
// zsh
//===----------------------------------------------------------------------===//

/// In a specification of _arguments, between `[` and `]` or `:`.
std::string zshText(std::string_view text) {
  std::string out;
  for (char c : text)
    out.append(c == '[' || c == ']' || c == ':' || c == '\\' ? 1 : 0, '\\')
        .append(1, c);
  return out;
}

std::string zshOption(const Option &option) {
  std::string action;
  const std::vector<std::string> values = valuesOf(option);
  if (takesFolder(option))
    action = "_files -/";
  else if (takesFile(option))
    action = "_files";
  else if (!values.empty())
    action = option.isList ? "_values -s , value " + joined(values, " ")
                           : "(" + joined(values, " ") + ")";
  const std::string text = quotedForBash(
      "[" + zshText(option.description) + "]" +
      (option.value.empty()     ? ""
       : option.implied.empty() ? ":" + zshText(option.value) + ":" + action
                                : "::" + zshText(option.value) + ":" + action));
  const std::string sign = option.value.empty()     ? ""
                           : option.implied.empty() ? "="
                                                    : "=-";
  const std::string name = "--" + option.name() + sign;
  if (option.letter().empty())
    return "'*'" + name + text;
  return "'*'{-" + option.letter() + (sign.empty() ? "" : "+") + "," + name +
         "}" + text;
}

std::string zshVerb(const Verb &verb) {
  const CommandLine line(verb);
  std::string script = "        " + std::string(verb.name) +
                       ")\n"
                       "          _arguments";
  for (const Option &option : line.options())
    script += " \\\n            " + zshOption(option);
  const std::vector<std::string> endings = endingsOf(verb);
  const std::vector<std::string> words = wordsOf(verb);
  if (!endings.empty())
    script += " \\\n            '*:operand:_files -g \"*.(" +
              joined(endings, "|") + ")\"'";
  else if (!words.empty())
    script += " \\\n            " +
              quotedForBash("*:operand:(" + joined(words, " ") + ")");
  return script + " ;;\n";
}

std::string zshScript() {
  std::string script = "#compdef kern\n"
                       "# zsh completion for kern, made by `kern completions "
                       "zsh`.\n\n_kern() {\n  local -a verbs\n  verbs=(\n";
  for (const Verb *verb : verbs())
    script +=
        "    " +
        quotedForBash(std::string(verb->name) + ":" + zshText(verb->summary)) +
        "\n";
  script += "  )\n  local curcontext=$curcontext state line\n"
            "  _arguments -C";
  for (const Option &option : toolOptions())
    script += " \\\n    " + zshOption(option);
  script += " \\\n    '1:verb:->verb' '*::operand:->operand'\n"
            "  case $state in\n"
            "    verb) _describe -t verbs verb verbs ;;\n"
            "    operand)\n      case $words[1] in\n";
  for (const Verb *verb : verbs())
    script += zshVerb(*verb);
  return script + "      esac ;;\n  esac\n}\n\n"
                  "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
                  "  _kern \"$@\"\nelse\n  compdef _kern kern\nfi\n";
}

//===----------------------------------------------------------------------===//
// fish
//===----------------------------------------------------------------------===//

std::string fishOption(const Option &option, const std::string &condition) {
  std::string line = "complete -c kern -n " + quotedForFish(condition);
  if (!option.letter().empty())
    line += " -s " + option.letter();
  line += " -l " + option.name() + " -d " + quotedForFish(option.description);
  const std::vector<std::string> values = valuesOf(option);
  if (takesFolder(option))
    line += " -x -a '(__fish_complete_directories)'";
  else if (takesFile(option))
    line += " -r -F";
  else if (!values.empty() && option.implied.empty())
    line += " -x -a " + quotedForFish(joined(values, " "));
  else if (!option.value.empty() && option.implied.empty())
    line += " -x";
  return line + "\n";
}

std::string fishScript() {
  std::string script = "# fish completion for kern, made by `kern completions "
                       "fish`.\ncomplete -c kern -f\n";
  for (const Option &option : toolOptions())
    script += fishOption(option, "__fish_use_subcommand");
  for (const Verb *verb : verbs()) {
    const std::string condition =
        "__fish_seen_subcommand_from " + std::string(verb->name);
    script += "complete -c kern -n __fish_use_subcommand -a " +
              std::string(verb->name) + " -d " + quotedForFish(verb->summary) +
              "\n";
    const CommandLine line(*verb);
    for (const Option &option : line.options())
      script += fishOption(option, condition);
    const std::string begin = "complete -c kern -n " + quotedForFish(condition);
    for (const std::string &ending : endingsOf(*verb))
      script += begin + " -k -a '(__fish_complete_suffix ." + ending + ")'\n";
    if (const std::vector<std::string> words = wordsOf(*verb); !words.empty())
      script += begin + " -a " + quotedForFish(joined(words, " ")) + "\n";
  }
  return script;
}

//===----------------------------------------------------------------------===//

struct Shell {
  std::string_view name;
  std::string (*script)();
};
constexpr Shell shells[] = {
    {"bash", bashScript}, {"zsh", zshScript}, {"fish", fishScript}};

std::vector<std::string> shellNames() {
  std::vector<std::string> names;
  for (const Shell &shell : shells)
    names.emplace_back(shell.name);
  return names;
}

int run(const CommandLine &line) {
  if (line.operands().size() != 1)
    return line.refuse("for which shell? There are bash, zsh and fish");
  const std::string &name = line.operands()[0];
  const std::string script = completionScript(name);
  if (script.empty())
    return line.refuse("there are completions for bash, zsh and fish, not '" +
                       name + "'" + suggestion(name, shellNames()));
  std::fputs(script.c_str(), stdout);
  return finishOutput(Done);
}

} // namespace

std::string completionScript(std::string_view shell) {
  for (const Shell &known : shells)
    if (known.name == shell)
      return known.script();
  return {};
}

const Verb completionsVerb = {
    "completions",
    "bash|zsh|fish",
    "print a script that completes kern's command line",
    "Prints a script that completes verbs, options, their values and files. "
    "The package has them where shells look for them; elsewhere:\n"
    "  bash  source <(kern completions bash), in ~/.bashrc\n"
    "  zsh   kern completions zsh > _kern, in a folder of $fpath\n"
    "  fish  kern completions fish > ~/.config/fish/completions/kern.fish",
    nullptr,
    run,
    shellNames};

} // namespace kern::cli
