#!/usr/bin/env bash
# Starts a PostgreSQL of its own in a folder, and prints its URL: server/Tests/postgres.sh FOLDER start | stop | restart
# It listens at a socket in the folder and at no port. As root it runs as the user nobody, for PostgreSQL refuses root.
set -euo pipefail

folder=$1
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
if [ -z "$bin" ]; then
  echo "postgres.sh: expected PostgreSQL in /usr/lib/postgresql, found none: apt-get install postgresql" >&2
  exit 1
fi

as_user() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME="$folder" "$@"
  else
    "$@"
  fi
}

control() { (cd "$folder" && as_user "$bin/pg_ctl" -s -w -t 60 -D "$folder/data" "$@" >>"$folder/log" 2>&1); }

case $2 in
  start)
    if [ ! -d "$folder/data" ]; then
      mkdir -p "$folder/data"
      if [ "$(id -u)" = 0 ]; then chown -R nobody:nogroup "$folder"; fi
      chmod 700 "$folder/data"
      (cd "$folder" && as_user "$bin/initdb" -D "$folder/data" -U plot -A trust -E UTF8 --locale=C >"$folder/log" 2>&1)
      printf "listen_addresses = ''\nunix_socket_directories = '%s'\nmax_connections = 200\n" "$folder" >>"$folder/data/postgresql.conf"
    fi
    control start
    echo "postgresql:///postgres?host=$folder&user=plot"
    ;;
  stop) control -m fast stop ;;
  kill) control -m immediate stop ;;
  restart) control -m fast restart ;;
esac
