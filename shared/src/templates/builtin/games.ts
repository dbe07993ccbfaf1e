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

export const terraria: BuiltInInput = {
  format: 'lodge/v1',
  uuid: '3609084f-5d85-4859-8c07-cbb8f5fae129',
  name: 'Terraria',
  author: 'Lodge',
  description: 'Adventure in two dimensions; the world is made at the first start.',
  tags: ['game'],
  icon: 'tree',
  connection: [
    'In Terraria: Multiplayer, Join via IP, address {{server.address}}, port {{server.port}}.',
  ],
  kind: 'container',
  runtime: {
    images: [{ name: 'Debian 12', source: debian('ca-certificates', 'libstdc++6', 'zlib1g') }],
    startup: {
      kind: 'argv',
      command: [
        `${DATA}/TerrariaServer.bin.x86_64`,
        '-port',
        '{{SERVER_PORT}}',
        '-maxplayers',
        '{{MAX_PLAYERS}}',
        '-world',
        `${DATA}/worlds/{{WORLD}}.wld`,
        '-autocreate',
        '{{WORLD_SIZE}}',
        '-worldname',
        '{{WORLD}}',
        '-password',
        '{{JOIN_PASSWORD}}',
        '-motd',
        '{{MOTD}}',
      ],
    },
    environment: { HOME: DATA, TERM: 'xterm' },
    dataPath: DATA,
    proofOfLife: { ...printed('Server started', 'Listening on port'), timeoutSeconds: 900 },
    stop: commanded('exit', 120),
    install: shellInstall(
      ['ca-certificates', 'curl', 'unzip'],
      `
mkdir -p worlds
version=$(printf '%s' "$TERRARIA_VERSION" | tr -d .)
curl -fsSL -o server.zip "https://terraria.org/api/download/pc-dedicated-server/terraria-server-$version.zip"
unzip -qo server.zip
cp -Rf "$version"/Linux/. .
chmod +x TerrariaServer.bin.x86_64
rm -rf "$version" server.zip`,
    ),
    port: { protocol: 'tcp' },
    limits: { memoryMb: 1024, cpuPercent: 100, diskMb: 1024 },
    backup: { before: ['save'], after: [], settleSeconds: 5 },
  },
  variables: [
    {
      name: 'Version',
      env: 'TERRARIA_VERSION',
      default: '1.4.4.9',
      rules: [
        { rule: 'required' },
        { rule: 'regex', pattern: '^[0-9]+(\\.[0-9]+){2,4}$', flags: '' },
      ],
    },
    players(8, 255),
    safeName('World', 'WORLD', 'world'),
    {
      name: 'Size of the world',
      description: '1 small, 2 medium, 3 large.',
      env: 'WORLD_SIZE',
      default: '1',
      rules: [{ rule: 'required' }, { rule: 'in', values: ['1', '2', '3'] }],
    },
    { name: 'Password', env: 'JOIN_PASSWORD', rules: plainLine(64), secret: true },
    { name: 'Message of the day', env: 'MOTD', default: 'Welcome!', rules: plainLine(128) },
  ],
}

export const factorio: BuiltInInput = {
  format: 'lodge/v1',
  uuid: '8f0ecd97-c73f-44a6-a790-16629a613260',
  name: 'Factorio',
  author: 'Lodge',
  description: 'Automation game. The map is made by the installation.',
  tags: ['game'],
  icon: 'cog',
  connection: ['In Factorio: Multiplayer, Connect to address, {{server.address}}:{{server.port}}.'],
  kind: 'container',
  runtime: {
    images: [{ name: 'Debian 12', source: debian('ca-certificates') }],
    startup: {
      kind: 'argv',
      command: [
        `${DATA}/factorio/bin/x64/factorio`,
        '--port',
        '{{SERVER_PORT}}',
        '--start-server',
        `${DATA}/saves/world.zip`,
        '--server-settings',
        `${DATA}/server-settings.json`,
      ],
    },
    environment: { HOME: DATA },
    dataPath: DATA,
    proofOfLife: { ...printed('to(InGame)'), timeoutSeconds: 600 },
    stop: signalled('SIGINT', 120),
    configFiles: [
      {
        path: 'server-settings.json',
        parser: 'json',
        edits: [
          { match: 'name', value: '{{SERVER_TITLE}}' },
          { match: 'max_players', value: '{{MAX_PLAYERS}}' },
          { match: 'game_password', value: '{{JOIN_PASSWORD}}' },
        ],
      },
    ],
    install: {
      ...shellInstall(
        ['ca-certificates', 'curl', 'xz-utils'],
        `
curl -fsSL "https://factorio.com/get-download/$FACTORIO_VERSION/headless/linux64" -o factorio.tar.xz
tar -xJf factorio.tar.xz
rm factorio.tar.xz
mkdir -p saves
[ -e server-settings.json ] || cp factorio/data/server-settings.example.json server-settings.json
[ -e saves/world.zip ] || ./factorio/bin/x64/factorio --create saves/world.zip`,
      ),
      memoryMb: 1024,
    },
    port: { protocol: 'udp' },
    limits: { memoryMb: 1024, cpuPercent: 150, diskMb: 2048 },
    backup: { before: ['/server-save'], after: [], settleSeconds: 5 },
  },
  variables: [
    {
      name: 'Version',
      env: 'FACTORIO_VERSION',
      default: 'stable',
      rules: [
        { rule: 'required' },
        { rule: 'regex', pattern: '^(stable|latest|[0-9]+\\.[0-9]+\\.[0-9]+)$', flags: '' },
      ],
    },
    title('A Factorio server'),
    players(16, 500),
    { name: 'Password', env: 'JOIN_PASSWORD', rules: plainLine(64), secret: true },
  ],
}
