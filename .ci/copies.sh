#!/usr/bin/env bash
#
# A process with several copies of the library of which nobody is told, or one copy of which somebody is told.
#
# The program loads two libraries, each of which has registered something in a copy of its own.

set -euo pipefail
cd "$(dirname "$0")/.."

package=(--package-path Tests/TwoCopies --scratch-path .build/ci-copies)
swift build "${package[@]}"
folder=$(swift build "${package[@]}" --show-bin-path)

expect() { # expect PATTERN OUTPUT
    grep -qE "$1" <<<"$2" || { printf 'expected: %s\nfound:\n%s\n' "$1" "$2" && return 1; }
}

output=$("$folder/Program" One Other 2>&1)
expect '^the program finds nothing$' "$output"
expect '^Depin: this process has 3 copies of Depin' "$output"
for image in Program libOne libOther; do expect "^    in .*/$image(\.so|\.dylib)?$" "$output"; done
[ "$(grep -c 'copies of Depin' <<<"$output")" = 1 ] || { echo "said more than once: $output" && exit 1; }

output=$("$folder/Program" 2>&1)
[ "$output" = 'the program finds nothing' ] || { echo "one copy is told: $output" && exit 1; }

output=$("$folder/SharedProgram" 2>&1)
[ "$output" = 'the program finds 1' ] || { echo "$output" && exit 1; }
