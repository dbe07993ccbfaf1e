import { type BuiltInInput, DATA, signalled } from './parts.ts'

export const postgresql: BuiltInInput = {
  format: 'lodge/v1',
  uuid: '4a4d0cc0-6ef1-4b74-9f30-fa41ac411a5a',
  name: 'PostgreSQL',
  author: 'Lodge',
  description:
    'Relational database. User, database and password are made at the first start; later changes of them are made inside the database.',
  tags: ['database'],
  kind: 'container',
  runtime: {
    images: [
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
      command: ['docker-entrypoint.sh', 'postgres', '-c', 'port={{SERVER_PORT}}'],
    },
    environment: { PGDATA: `${DATA}/pgdata`, HOME: DATA },
    dataPath: DATA,
    proofOfLife: { patterns: [], tcpPort: 'primary', timeoutSeconds: 600 },
    stop: signalled('SIGINT', 300),
    // The socket folder of the image is on its root file system.
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
