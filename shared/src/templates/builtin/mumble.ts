import { type BuiltInInput, DATA, debian, plainLine, printed, signalled } from './parts.ts'

export const mumble: BuiltInInput = {
  format: 'lodge/v1',
  uuid: '48c7874c-1d40-4520-87fa-698f940fdaea',
  name: 'Mumble',
  author: 'Lodge',
  description:
    'Voice chat server. The password of SuperUser is printed to the console at the first start.',
  tags: ['voice'],
  icon: 'voice',
  connection: [
    'In Mumble: Server, Connect, Add new, address {{server.address}}, port {{server.port}}.',
  ],
  kind: 'container',
  runtime: {
    images: [{ name: 'Debian 12', source: debian('mumble-server') }],
    startup: { kind: 'argv', command: ['/usr/sbin/murmurd', '-fg', '-ini', `${DATA}/murmur.ini`] },
    environment: { HOME: DATA },
    dataPath: DATA,
    proofOfLife: { ...printed('Server listening on'), timeoutSeconds: 120 },
    stop: signalled('SIGTERM', 30),
    configFiles: [
      {
        path: 'murmur.ini',
        parser: 'ini',
        edits: [
          { match: 'database', value: `${DATA}/murmur.sqlite` },
          { match: 'logfile', value: '' },
          { match: 'pidfile', value: '' },
          { match: 'port', value: '{{SERVER_PORT}}' },
          { match: 'users', value: '{{MAX_USERS}}' },
          { match: 'serverpassword', value: '"{{JOIN_PASSWORD}}"' },
          { match: 'welcometext', value: '"{{WELCOME}}"' },
          { match: 'bandwidth', value: '{{BANDWIDTH}}' },
          { match: 'bonjour', value: 'false' },
        ],
      },
    ],
    query: { kind: 'protocol', protocol: 'mumble' },
    port: { protocol: 'both' },
    limits: { memoryMb: 128, cpuPercent: 50, diskMb: 256 },
  },
  variables: [
    {
      name: 'Users at most',
      env: 'MAX_USERS',
      default: '100',
      rules: [{ rule: 'required' }, { rule: 'integer' }, { rule: 'between', min: 1, max: 5000 }],
    },
    { name: 'Password', env: 'JOIN_PASSWORD', rules: plainLine(64), secret: true },
    { name: 'Welcome text', env: 'WELCOME', default: 'Welcome!', rules: plainLine(1000) },
    {
      name: 'Bandwidth',
      description: 'Bits per second that one user may send.',
      env: 'BANDWIDTH',
      default: '72000',
      rules: [
        { rule: 'required' },
        { rule: 'integer' },
        { rule: 'between', min: 8000, max: 558_000 },
      ],
    },
  ],
}
