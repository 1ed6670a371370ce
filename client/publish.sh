# ./weir client, which sources this file: makes the messaging client and its Spring Boot starter as applications depend on
# them. The build makes the jars (client/pom.xml, starter/pom.xml) and fills in the POMs (src/main/pom); sources and Javadoc
# are made here, where somebody wants them.

client_usage() {
    cat <<'USAGE'
Usage: weir client [DIR]
       weir client install
Makes the messaging client for applications: weir-jms-client and weir-spring-boot-starter with sources and Javadoc, and
weir-jms-client-bom.
  [DIR]     writes a Maven repository into this folder (default: client/target/repository of the sources)
  install   puts it into the local repository of this machine instead (for a folder of that name: ./install)
USAGE
}

# What is said on standard output and standard error goes to the log, whose end is printed if it fails.
logged() {
    if ! "$@" >>"$log" 2>&1; then
        grep -v '^\[INFO\]' "$log" | tail -n 40 >&2
        die "$failed; the whole of the output is in $log"
    fi
}

# The jars, the POMs, and the class paths for Javadoc.
make_jars() {
    failed="the client could not be built"
    # what editors read is written by the compiler, which a change of its part among the resources does not start
    rm -rf "$home/starter/target/classes"
    logged maven -pl client,starter -am -Dmaven.test.skip=true process-classes
    version=$(sed -n 's:^  <version>\(.*\)</version>$:\1:p' "$made/poms/weir-jms-client.pom")
    # what an application uses: the client, services that it calls, and their types
    complete client weir-jms-client "base wire jms" io.weir.jms io.weir.wire.invoke io.weir.wire.client
    complete starter weir-spring-boot-starter starter io.weir.starter
}

# Makes sources and Javadoc of a room's artifact: room, artifact, rooms whose sources it has, packages for Javadoc.
complete() {
    room=$1
    to=$home/$1/target
    jar=$to/$2-$version.jar
    [ -f "$jar" ] || die "the build made no $jar"
    rooms=$3
    shift 3
    packages=$*
    set --
    path=
    for from in $rooms; do
        set -- "$@" -C "$home/$from/src/main/java" .
        # base has histograms of the server, whose library is not on the class path
        [ "$from" = base ] || path=$path:$home/$from/src/main/java
    done
    logged "$JAVA_HOME/bin/jar" --create --file "${jar%.jar}-sources.jar" "$@"
    rm -rf "$to/javadoc"
    # packages are words
    # shellcheck disable=SC2086
    logged "$JAVA_HOME/bin/javadoc" -quiet -Xdoclint:none -notimestamp --release 17 -d "$to/javadoc" \
        --class-path "$(cat "$to/class-path")" --source-path "${path#:}" $packages
    logged "$JAVA_HOME/bin/jar" --create --file "${jar%.jar}-javadoc.jar" -C "$to/javadoc" .
}

# Gives an artifact to a goal of Maven: room, artifact, goal, options.
publish_jar() {
    jar=$home/$1/target/$2-$version
    pom=$home/$1/target/poms/$2.pom
    goal=$3
    shift 3
    logged maven -N "$goal" "$@" -Dfile="$jar.jar" -DpomFile="$pom" -Dsources="$jar-sources.jar" -Djavadoc="$jar-javadoc.jar"
}

publish_all() {
    publish_jar client weir-jms-client "$@"
    publish_jar starter weir-spring-boot-starter "$@"
    bom=$made/poms/weir-jms-client-bom.pom
    logged maven -N "$@" -Dfile="$bom" -DpomFile="$bom" -Dpackaging=pom
}

# Writes the repository: Maven's own plugin knows the layout, the metadata and what a snapshot is.
write_repository() {
    folders="io/weir/weir-jms-client io/weir/weir-spring-boot-starter io/weir/weir-jms-client-bom"
    # one build of a version: not the ones before it, too
    for folder in $folders; do rm -rf "$where/$folder/$version"; done
    failed="the repository could not be written to $where"
    url=file://$(printf '%s' "$where" | sed 's/%/%25/g; s/ /%20/g')
    publish_all deploy:deploy-file -DrepositoryId=weir -Durl="$url"
    # Maven 3 writes SHA-1 and MD5
    # shellcheck disable=SC2086
    files=$(cd "$where" && find $folders -type f ! -name '*.sha1' ! -name '*.md5' ! -name '*.sha256' ! -name '*.sha512' |
        LC_ALL=C sort)
    for file in $files; do
        sum=$(sha256 <"$where/$file")
        printf '%s' "${sum%% *}" >"$where/$file.sha256"
    done
    cat <<WROTE
wrote weir-jms-client $version to $where:
$(for file in $files; do echo "  $file"; done)
The jar has $(size "$made/weir-jms-client-$version.jar") and runs on Java 17 and newer. Each file has its checksums beside it.

Maven:
  <repository><id>weir</id><url>$url</url></repository>
$(maven_line weir-jms-client)
Gradle:
  repositories { maven { url = uri("$url") } }
$(gradle_line weir-jms-client)
$(starter_lines)
WROTE
}

install_client() {
    failed="the client could not be installed"
    publish_all install:install-file
    cat <<INSTALLED
installed weir-jms-client $version in the local repository:
$(sed -n 's/^\[INFO\] Installing .* to \(.*\)$/  \1/p' "$log")
The jar has $(size "$made/weir-jms-client-$version.jar") and runs on Java 17 and newer.

Maven:
$(maven_line weir-jms-client)
Gradle:
  repositories { mavenLocal() }
$(gradle_line weir-jms-client)
$(starter_lines)
INSTALLED
}

maven_line() {
    echo "  <dependency><groupId>io.weir</groupId><artifactId>$1</artifactId><version>$version</version></dependency>"
}

gradle_line() {
    echo "  dependencies { implementation(\"io.weir:$1:$version\") }"
}

starter_lines() {
    echo
    echo "Spring Boot, instead of the client (docs/jms-client.md):"
    maven_line weir-spring-boot-starter
    gradle_line weir-spring-boot-starter
}

size() {
    bytes=$(wc -c <"$1")
    echo "$((bytes / 1000000)).$((bytes / 100000 % 10)) MB"
}

sha256() {
    if command -v sha256sum >/dev/null 2>&1; then sha256sum; else shasum -a 256; fi
}

# Runs the verb.
client() {
    where=
    for word in "$@"; do
        case $word in
            -h | --help)
                client_usage
                exit 0
                ;;
            -*)
                echo "weir: client has no option $word" >&2
                client_usage >&2
                exit 2
                ;;
            *)
                if [ -n "$where" ]; then
                    echo "weir: client takes one folder, or install" >&2
                    client_usage >&2
                    exit 2
                fi
                where=$word
                ;;
        esac
    done
    [ -z "${WEIR_DIST:-}" ] ||
        die "the client is made from the sources, which a built folder does not have: run ./weir client in a clone, without WEIR_DIST"
    need_maven
    need_jdk
    made=$home/client/target
    log=$made/publish.log
    if [ "$where" != install ]; then
        where=${where:-$made/repository}
        if ! mkdir -p "$where" || [ ! -w "$where" ]; then die "cannot write into $where"; fi
        where=$(CDPATH='' cd -P "$where" && pwd)
    fi
    mkdir -p "$made"
    : >"$log"
    echo "weir: making the messaging client (a quarter of a minute; longer when libraries are fetched first)" >&2
    make_jars
    if [ "$where" = install ]; then install_client; else write_repository; fi
}
