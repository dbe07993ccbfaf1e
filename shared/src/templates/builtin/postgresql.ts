import { type BuiltInInput, DATA, debian, signalled } from './parts.ts'

/**
 * Does for the Debian packages what the registry's image does by itself: the first start
 * initialises the database in a temporary folder, so that an interrupted one starts over. The first
 * argument is the port.
 */
const LAUNCHER = `set -eu
if command -v docker-entrypoint.sh >/dev/null; then exec docker-entrypoint.sh postgres -c "port=$1"; fi
for programs in /usr/lib/postgresql/*/bin; do PATH="$programs:$PATH"; done
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  umask 077
  fresh="$PGDATA.new"
  rm -rf "$fresh"
  printf '%s\\n' "$POSTGRES_PASSWORD" > "$HOME/.password"
  initdb --pgdata="$fresh" --username="$POSTGRES_USER" --pwfile="$HOME/.password" --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8
  rm "$HOME/.password"
  echo 'host all all all scram-sha-256' >> "$fresh/pg_hba.conf"
  if [ "$POSTGRES_DB" != postgres ]; then
    echo "CREATE DATABASE \\"$POSTGRES_DB\\";" | postgres --single -D "$fresh" postgres
  fi
  mv "$fresh" "$PGDATA"
fi
exec postgres -D "$PGDATA" -c "port=$1" -c 'listen_addresses=*' -c unix_socket_directories=/tmp
`

export const postgresql: BuiltInInput = {
  format: 'lodge/v1',
  uuid: '4a4d0cc0-6ef1-4b74-9f30-fa41ac411a5a',
  name: 'PostgreSQL',
  author: 'Lodge',
  description:
    'Relational database. Version 15 is made from Debian packages; 16 and 17 come from the registry docker.io. User, database and password are made at the first start; later changes of them are made inside the database.',
  tags: ['database'],
  icon: 'postgresql',
  connection: [
    'With psql: psql -h {{server.address}} -p {{server.port}} -U {{POSTGRES_USER}} {{POSTGRES_DB}}',
  ],
  kind: 'container',
  runtime: {
    images: [
      { name: 'PostgreSQL 15 (Debian 12)', source: debian('postgresql-15') },
      {
        name: 'PostgreSQL 17',
        source: { kind: 'registry', reference: 'docker.io/library/postgres:17' },
      },
      {
        name: 'PostgreSQL 16',
        source: { kind: 'registry', reference: 'docker.io/library/postgres:16' },
      },
    ],
    startup: {
      kind: 'argv',
      command: ['/bin/sh', '-c', LAUNCHER, 'postgresql', '{{SERVER_PORT}}'],
    },
    environment: { PGDATA: `${DATA}/pgdata`, HOME: DATA },
    dataPath: DATA,
    proofOfLife: { patterns: [], tcpPort: 'primary', timeoutSeconds: 600 },
    stop: signalled('SIGINT', 300),
    // The image's socket folder is on its root file system.
    writableRoot: true,
    temporaryMb: 256,
    port: { protocol: 'tcp', containerPort: 5432 },
    limits: { memoryMb: 512, cpuPercent: 100, diskMb: 4096 },
  },
  variables: [
    {
      name: 'User',
      env: 'POSTGRES_USER',
      default: 'app',
      rules: [
        { rule: 'required' },
        { rule: 'regex', pattern: '^[a-z_][a-z0-9_]{0,62}$', flags: '' },
      ],
    },
    {
      name: 'Database',
      env: 'POSTGRES_DB',
      default: 'app',
      rules: [
        { rule: 'required' },
        { rule: 'regex', pattern: '^[a-z_][a-z0-9_]{0,62}$', flags: '' },
      ],
    },
    {
      name: 'Password',
      env: 'POSTGRES_PASSWORD',
      rules: [{ rule: 'required' }, { rule: 'min', value: 8 }, { rule: 'max', value: 128 }],
      secret: true,
    },
  ],
}
