#!/usr/bin/env bash
# Compares the class files that Maven has made with those that Gradle has made, byte for byte, and says where they differ.
#
#   gradle/compare-classes.sh                  the archives of both builds in this tree
#   gradle/compare-classes.sh MAVEN GRADLE     two trees, the first built by Maven (mvn -Pfast -DskipTests verify), the
#                                              second by Gradle (./gradlew assemble); or two archives, or two folders
#
# Both builds must have run on the same JDK. Ends with 0 if all class files are equal, 1 if not, 2 if there are none.
set -euo pipefail

home=$(cd "$(dirname "$0")/.." && pwd)
first=${1:-$home}
second=${2:-$home}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
compared=0
different=0

# The archive of a module below one of the folders that the builds write to, without those beside it.
archive() {
  local file
  for file in "$1/$2"-*.jar; do
    case $file in
      *-sources.jar | *-javadoc.jar | *-tests.jar) ;;
      *) if [[ -f $file ]]; then echo "$file"; fi ;;
    esac
  done | head -n 1
}

# What the class file says, without the lines that name the file itself.
explain() {
  javap -v -p "$1" 2>&1 | grep -v -E '^(Classfile|  Last modified|  (MD5|SHA-256) checksum)' || true
}

unpack() {
  mkdir -p "$2"
  if [[ -d $1 ]]; then
    cp -R "$1/." "$2"
  else
    (cd "$2" && jar --extract --file "$1")
  fi
}

compare() {
  local name=$1 one=$scratch/one two=$scratch/two file
  rm -rf "$one" "$two"
  unpack "$2" "$one"
  unpack "$3" "$two"
  while read -r file; do
    compared=$((compared + 1))
    if [[ ! -f $one/$file ]]; then
      echo "$name: $file is only in $3"
    elif [[ ! -f $two/$file ]]; then
      echo "$name: $file is only in $2"
    elif cmp -s "$one/$file" "$two/$file"; then
      continue
    else
      echo "$name: $file differs"
      if [[ $file == *.class ]]; then
        diff <(explain "$one/$file") <(explain "$two/$file") | head -n 10 | sed 's/^/    /' || true
      fi
    fi
    different=$((different + 1))
  done < <( (cd "$one" && find . -type f; cd "$two" && find . -type f) |
    grep -E '\.(class|kotlin_module)$' | sed 's|^\./||' | sort -u)
}

absolute() {
  if [[ -d $1 ]]; then
    (cd "$1" && pwd)
  else
    (cd "$(dirname "$1")" && echo "$PWD/$(basename "$1")")
  fi
}

# Whether an archive has class files; that of a module of tests has none, and Maven does not make it.
has_classes() {
  jar --list --file "$1" | grep -q '\.class$'
}

if [[ -f $first/settings.gradle.kts && -f $second/settings.gradle.kts ]]; then
  while read -r artifact folder; do
    one=$(archive "$(absolute "$first")/$folder/target" "$artifact")
    two=$(archive "$(absolute "$second")/$folder/build/libs" "$artifact")
    if [[ -n $one && -n $two ]]; then
      compare "$artifact" "$one" "$two"
    elif [[ -n $one || -n $two ]] && has_classes "$one$two"; then
      echo "$artifact: there is only $one$two"
      different=$((different + 1))
    fi
  done < <(sed -n 's/^ *"\([^"]*\)" to "\([^"]*\)",$/\1 \2/p' "$first/settings.gradle.kts")
else
  compare "$(basename "$first")" "$(absolute "$first")" "$(absolute "$second")"
fi

echo "$compared files compared, $different different"
if ((compared == 0)); then
  exit 2
fi
((different == 0))
