# Finds a JDK 25 for ./weir, ./mvnw and .ci/run, which source this file.
# Looks at WEIR_JAVA_HOME, JAVA_HOME and WEIR_JDKS (a pattern of folders; /usr/lib/jvm/*25* unless set).

# Whether $1 holds a JDK 25: its release file decides, not its name.
is_jdk25() {
    [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] &&
        grep -Eq '^JAVA_VERSION="25([."+-]|$)' "$1/release"
}

# Exports JAVA_HOME; fails where there is none.
find_jdk() {
    for jdk in "${WEIR_JAVA_HOME:-}" "${JAVA_HOME:-}" ${WEIR_JDKS:-/usr/lib/jvm/*25*}; do
        if [ -n "$jdk" ] && is_jdk25 "$jdk"; then
            export JAVA_HOME="$jdk"
            return 0
        fi
    done
    return 1
}

# What to do where there is none.
explain_jdk() {
    cat >&2 <<NOJDK
weir: no JDK 25 was found. Looked at WEIR_JAVA_HOME, JAVA_HOME and ${WEIR_JDKS:-/usr/lib/jvm/*25*}${WEIR_JDKS:+ (WEIR_JDKS)}.
  Debian 13 and newer:  apt-get install openjdk-25-jdk-headless
  elsewhere:            unpack a JDK 25 (for example Eclipse Temurin from https://adoptium.net)
                        and set WEIR_JAVA_HOME to its folder
NOJDK
}
