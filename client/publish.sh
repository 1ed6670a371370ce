# ./weir client, which sources this file: makes the messaging client as applications depend on it. The build shades the jar
# (client/pom.xml) and fills in the POMs (client/src/main/pom); sources and Javadoc are made here, where somebody wants them.

client_usage() {
    cat <<'USAGE'
Usage: weir client [DIR]
       weir client install
Makes the messaging client for applications: weir-jms-client with sources and Javadoc, and weir-jms-client-bom.
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

# The jar, the POMs, and the class path for Javadoc.
make_jars() {
    failed="the client could not be built"
    logged maven -pl client -am -Dmaven.test.skip=true process-classes
    version=$(sed -n 's:^  <version>\(.*\)</version>$:\1:p' "$made/poms/weir-jms-client.pom")
    jar_of_client=$made/weir-jms-client-$version.jar
    sources=$made/weir-jms-client-$version-sources.jar
    javadoc=$made/weir-jms-client-$version-javadoc.jar
    [ -f "$jar_of_client" ] || die "the build made no $jar_of_client"
    set --
    for room in base wire jms; do set -- "$@" -C "$home/$room/src/main/java" .; done
    logged "$JAVA_HOME/bin/jar" --create --file "$sources" "$@"
    rm -rf "$made/javadoc"
    # what an application uses: the client, services that it calls, and their types
    logged "$JAVA_HOME/bin/javadoc" -quiet -Xdoclint:none -notimestamp --release 17 -d "$made/javadoc" \
        --class-path "$(cat "$made/class-path")" --source-path "$home/jms/src/main/java:$home/wire/src/main/java" \
        io.weir.jms io.weir.wire.invoke io.weir.wire.client
    logged "$JAVA_HOME/bin/jar" --create --file "$javadoc" -C "$made/javadoc" .
}

# Writes the repository: Maven's own plugin knows the layout, the metadata and what a snapshot is.
write_repository() {
    # one build of a version: not the ones before it, too
    rm -rf "$where/io/weir/weir-jms-client/$version" "$where/io/weir/weir-jms-client-bom/$version"
    failed="the repository could not be written to $where"
    url=file://$(printf '%s' "$where" | sed 's/%/%25/g; s/ /%20/g')
    logged maven -N deploy:deploy-file -DrepositoryId=weir -Durl="$url" -Dfile="$jar_of_client" \
        -DpomFile="$made/poms/weir-jms-client.pom" -Dsources="$sources" -Djavadoc="$javadoc"
    logged maven -N deploy:deploy-file -DrepositoryId=weir -Durl="$url" \
        -Dfile="$made/poms/weir-jms-client-bom.pom" -DpomFile="$made/poms/weir-jms-client-bom.pom" -Dpackaging=pom
    # Maven 3 writes SHA-1 and MD5
    files=$(cd "$where" && find io/weir/weir-jms-client io/weir/weir-jms-client-bom -type f ! -name '*.sha1' ! -name '*.md5' \
        ! -name '*.sha256' ! -name '*.sha512' | LC_ALL=C sort)
    for file in $files; do
        sum=$(sha256 <"$where/$file")
        printf '%s' "${sum%% *}" >"$where/$file.sha256"
    done
    cat <<WROTE
wrote weir-jms-client $version to $where:
$(for file in $files; do echo "  $file"; done)
The jar has $(size "$jar_of_client") and runs on Java 17 and newer. Each file has its checksums beside it.

Maven:
  <repository><id>weir</id><url>$url</url></repository>
$(maven_line)
Gradle:
  repositories { maven { url = uri("$url") } }
$(gradle_line)
WROTE
}

install_client() {
    failed="the client could not be installed"
    logged maven -N install:install-file -Dfile="$jar_of_client" -DpomFile="$made/poms/weir-jms-client.pom" \
        -Dsources="$sources" -Djavadoc="$javadoc"
    logged maven -N install:install-file -Dfile="$made/poms/weir-jms-client-bom.pom" \
        -DpomFile="$made/poms/weir-jms-client-bom.pom" -Dpackaging=pom
    cat <<INSTALLED
installed weir-jms-client $version in the local repository:
$(sed -n 's/^\[INFO\] Installing .* to \(.*\)$/  \1/p' "$log")
The jar has $(size "$jar_of_client") and runs on Java 17 and newer.

Maven:
$(maven_line)
Gradle:
  repositories { mavenLocal() }
$(gradle_line)
INSTALLED
}

maven_line() {
    echo "  <dependency><groupId>io.weir</groupId><artifactId>weir-jms-client</artifactId><version>$version</version></dependency>"
}

gradle_line() {
    echo "  dependencies { implementation(\"io.weir:weir-jms-client:$version\") }"
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
