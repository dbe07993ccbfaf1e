import { players, safeName, title } from './game-variables.ts'
import {
  type BuiltInInput,
  commanded,
  DATA,
  debian,
  plainLine,
  printed,
  shellInstall,
  signalled,
} from './parts.ts'

/** Downloads a Steam application that needs no account, with Valve's own program. */
const steamInstall = (application: number) => ({
  ...shellInstall(
    ['ca-certificates', 'curl', 'lib32gcc-s1', 'lib32stdc++6'],
    `
export HOME=/mnt/server
mkdir -p steamcmd
curl -fsSL https://steamcdn-a.akamaihd.net/client/installer/steamcmd_linux.tar.gz | tar -xz -C steamcmd
for attempt in 1 2 3; do
  if ./steamcmd/steamcmd.sh +force_install_dir /mnt/server +login anonymous +app_update ${application} validate +quit; then
    for bits in 32 64; do
      mkdir -p ".steam/sdk$bits"
      cp -f "steamcmd/linux$bits/steamclient.so" ".steam/sdk$bits/" 2>/dev/null || true
    done
    exit 0
  fi
  echo "Attempt $attempt failed"
done
exit 1`,
  ),
  timeoutSeconds: 7200,
  memoryMb: 2048,
})

const STEAM_LIBRARIES = [
  'ca-certificates',
  'lib32gcc-s1',
  'lib32stdc++6',
  'libatomic1',
  'libpulse0',
  'libsdl2-2.0-0',
]
export const valheim: BuiltInInput = {
  format: 'lodge/v1',
  uuid: '4483ec95-a711-4cfa-a4f3-07180adf4380',
  name: 'Valheim',
  author: 'Lodge',
  description:
    'The game answers queries on the port after its own one: give a server two neighbouring ports.',
  tags: ['game', 'steam'],
  icon: 'axe',
  kind: 'container',
  runtime: {
    images: [{ name: 'Debian 12', source: debian(...STEAM_LIBRARIES, 'libpulse-mainloop-glib0') }],
    startup: {
      kind: 'argv',
      command: [
        `${DATA}/valheim_server.x86_64`,
        '-nographics',
        '-batchmode',
        '-name',
        '{{SERVER_TITLE}}',
        '-port',
        '{{SERVER_PORT}}',
        '-world',
        '{{WORLD}}',
        '-password',
        '{{JOIN_PASSWORD}}',
        '-public',
        '{{PUBLIC}}',
        '-savedir',
        `${DATA}/saves`,
      ],
    },
    environment: { HOME: DATA, LD_LIBRARY_PATH: `${DATA}/linux64`, SteamAppId: '892970' },
    dataPath: DATA,
    proofOfLife: { ...printed('Game server connected'), timeoutSeconds: 900 },
    stop: signalled('SIGINT', 120),
    install: steamInstall(896_660),
    query: { kind: 'protocol', protocol: 'valve', portOffset: 1 },
    port: { protocol: 'udp' },
    extraPorts: [{ label: 'query', protocol: 'udp' }],
    limits: { memoryMb: 4096, cpuPercent: 200, diskMb: 8192 },
  },
  variables: [
    title('A Valheim server'),
    safeName('World', 'WORLD', 'Dedicated'),
    {
      name: 'Password',
      description: 'At least five characters.',
      env: 'JOIN_PASSWORD',
      rules: [{ rule: 'required' }, { rule: 'min', value: 5 }, ...plainLine(64)],
      secret: true,
    },
    {
      name: 'Listed publicly',
      env: 'PUBLIC',
      default: '0',
      rules: [{ rule: 'required' }, { rule: 'boolean' }],
    },
  ],
}

export const rust: BuiltInInput = {
  format: 'lodge/v1',
  uuid: '9f4bcc90-4eaa-4450-a659-30c66d3b6b7f',
  name: 'Rust',
  author: 'Lodge',
  description: 'Survival game. Needs much memory and several minutes for its first start.',
  tags: ['game', 'steam'],
  icon: 'flame',
  kind: 'container',
  runtime: {
    images: [
      { name: 'Debian 12', source: debian(...STEAM_LIBRARIES, 'libgdiplus', 'libsqlite3-0') },
    ],
    startup: {
      kind: 'argv',
      command: [
        `${DATA}/RustDedicated`,
        '-batchmode',
        '-nographics',
        '+server.port',
        '{{SERVER_PORT}}',
        '+server.queryport',
        '{{SERVER_PORT_1}}',
        '+rcon.port',
        '{{SERVER_PORT_2}}',
        '+rcon.web',
        '1',
        '+rcon.password',
        '{{RCON_PASSWORD}}',
        '+app.port',
        '{{SERVER_PORT_3}}',
        '+server.identity',
        'server',
        '+server.hostname',
        '{{SERVER_TITLE}}',
        '+server.level',
        '{{LEVEL}}',
        '+server.worldsize',
        '{{WORLD_SIZE}}',
        '+server.seed',
        '{{WORLD_SEED}}',
        '+server.maxplayers',
        '{{MAX_PLAYERS}}',
        '+server.saveinterval',
        '300',
      ],
    },
    environment: {
      HOME: DATA,
      LD_LIBRARY_PATH: `${DATA}:${DATA}/RustDedicated_Data/Plugins/x86_64`,
    },
    dataPath: DATA,
    proofOfLife: { ...printed('Server startup complete'), timeoutSeconds: 3600 },
    stop: commanded('quit', 180),
    install: steamInstall(258_550),
    query: { kind: 'protocol', protocol: 'valve', portOffset: 1 },
    port: { protocol: 'udp' },
    extraPorts: [
      { label: 'query', protocol: 'udp' },
      { label: 'rcon', protocol: 'tcp' },
      { label: 'app', protocol: 'tcp' },
    ],
    limits: { memoryMb: 12_288, cpuPercent: 300, diskMb: 20_480 },
  },
  variables: [
    title('A Rust server'),
    players(50, 500),
    {
      name: 'Level',
      env: 'LEVEL',
      default: 'Procedural Map',
      rules: [
        { rule: 'required' },
        { rule: 'in', values: ['Procedural Map', 'Barren', 'HapisIsland', 'SavasIsland'] },
      ],
    },
    {
      name: 'Size of the world',
      env: 'WORLD_SIZE',
      default: '3000',
      rules: [{ rule: 'required' }, { rule: 'integer' }, { rule: 'between', min: 1000, max: 6000 }],
    },
    {
      name: 'Seed of the world',
      env: 'WORLD_SEED',
      default: '1',
      rules: [
        { rule: 'required' },
        { rule: 'integer' },
        { rule: 'between', min: 0, max: 2_147_483_647 },
      ],
    },
    {
      name: 'RCON password',
      env: 'RCON_PASSWORD',
      rules: [
        { rule: 'required' },
        { rule: 'regex', pattern: '^[A-Za-z0-9_.~-]{8,64}$', flags: '' },
      ],
      secret: true,
    },
  ],
}

export const garrysMod: BuiltInInput = {
  format: 'lodge/v1',
  uuid: '37b4d5c7-8575-4dd4-bf87-cfdac17b02ef',
  name: "Garry's Mod",
  author: 'Lodge',
  description:
    'Sandbox game. Its image, of the Pelican project, comes from the registry ghcr.io and carries the libraries of old Source games.',
  tags: ['game', 'steam'],
  icon: 'wrench',
  kind: 'container',
  runtime: {
    images: [
      {
        name: 'Source engine',
        source: { kind: 'registry', reference: 'ghcr.io/pelican-eggs/games:source' },
      },
    ],
    startup: {
      kind: 'argv',
      command: [
        '/home/container/srcds_run',
        '-game',
        'garrysmod',
        '-console',
        '-port',
        '{{SERVER_PORT}}',
        '+ip',
        '0.0.0.0',
        '-strictportbind',
        '-norestart',
        '+sv_setsteamaccount',
        '{{STEAM_TOKEN}}',
        '+maxplayers',
        '{{MAX_PLAYERS}}',
        '+gamemode',
        '{{GAMEMODE}}',
        '+map',
        '{{MAP}}',
        '+hostname',
        '{{SERVER_TITLE}}',
      ],
    },
    environment: { HOME: '/home/container' },
    dataPath: '/home/container',
    proofOfLife: { ...printed('gameserver Steam ID', 'VAC secure mode'), timeoutSeconds: 900 },
    stop: commanded('quit', 60),
    install: steamInstall(4020),
    tty: true,
    query: { kind: 'protocol', protocol: 'valve' },
    port: { protocol: 'both' },
    limits: { memoryMb: 2048, cpuPercent: 150, diskMb: 12_288 },
  },
  variables: [
    title("A Garry's Mod server"),
    players(16, 128),
    safeName('Game mode', 'GAMEMODE', 'sandbox'),
    safeName('Map', 'MAP', 'gm_flatgrass'),
    {
      name: 'Steam token',
      description: 'Lets the server be listed.',
      env: 'STEAM_TOKEN',
      rules: [{ rule: 'nullable' }, { rule: 'alpha_num' }, { rule: 'max', value: 64 }],
      secret: true,
    },
  ],
  features: ['gsl_token', 'steam_disk_space'],
}
