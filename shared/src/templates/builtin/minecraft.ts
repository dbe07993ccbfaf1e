import {
  type BuiltInInput,
  command,
  commanded,
  DATA,
  plainLine,
  printed,
  shellInstall,
  signalled,
} from './parts.ts'

const java = (version: number) => ({
  name: `Java ${version}`,
  source: {
    kind: 'registry' as const,
    reference: `docker.io/library/eclipse-temurin:${version}-jre`,
  },
})

const JAVA_COMMAND = [
  'java',
  '-Xms128M',
  '-Xmx{{SERVER_MEMORY}}M',
  '-XX:+UseG1GC',
  `-Duser.home=${DATA}`,
  '-Dterminal.jline=false',
  '-Dterminal.ansi=true',
  '-jar',
  `${DATA}/{{SERVER_JARFILE}}`,
]

const eula = {
  name: 'Minecraft EULA accepted',
  description: 'Set it to true to accept https://aka.ms/MinecraftEULA.',
  env: 'EULA',
  default: 'false',
  rules: [
    { rule: 'required' as const },
    { rule: 'in' as const, values: ['true', 'false'] },
    { rule: 'accepted' as const },
  ],
}
const jarFile = {
  name: 'Program file',
  env: 'SERVER_JARFILE',
  default: 'server.jar',
  rules: [
    { rule: 'required' as const },
    { rule: 'regex' as const, pattern: '^[\\w.-]+\\.jar$', flags: '' },
  ],
}
const gameVersion = {
  name: 'Version',
  description: 'A version of Minecraft, or latest.',
  env: 'MINECRAFT_VERSION',
  default: 'latest',
  rules: [
    { rule: 'required' as const },
    { rule: 'regex' as const, pattern: '^[A-Za-z0-9._-]{1,32}$', flags: '' },
  ],
}

const serverProperties = {
  path: 'server.properties',
  parser: 'properties' as const,
  edits: [
    { match: 'server-ip', value: '' },
    { match: 'server-port', value: '{{SERVER_PORT}}' },
    { match: 'query.port', value: '{{SERVER_PORT}}' },
    { match: 'motd', value: '{{MOTD}}' },
    { match: 'max-players', value: '{{MAX_PLAYERS}}' },
  ],
}
const gameVariables = [
  eula,
  gameVersion,
  { name: 'Message of the day', env: 'MOTD', default: 'A Minecraft server', rules: plainLine(120) },
  {
    name: 'Players at most',
    env: 'MAX_PLAYERS',
    default: '20',
    rules: [
      { rule: 'required' as const },
      { rule: 'integer' as const },
      { rule: 'between' as const, min: 1, max: 1000 },
    ],
  },
]

const PAPER_DOWNLOAD = (project: string) => `
api="https://fill.papermc.io/v3/projects/${project}"
agent="lodge-template/1 (${project})"
version="$MINECRAFT_VERSION"
if [ "$version" = latest ]; then
  version=$(curl -fsSL -A "$agent" "$api" | jq -r '[.versions[][]] | map(select(test("(pre|rc|SNAPSHOT)") | not)) | .[0] // empty')
  [ -n "$version" ] || version=$(curl -fsSL -A "$agent" "$api" | jq -r '[.versions[][]][0]')
fi
echo "Version $version"
build=$(curl -fsSL -A "$agent" "$api/versions/$version/builds/latest")
url=$(printf '%s' "$build" | jq -r '.downloads["server:default"].url')
sum=$(printf '%s' "$build" | jq -r '.downloads["server:default"].checksums.sha256')
echo "Downloading $url"
curl -fsSL -A "$agent" -o "$SERVER_JARFILE.new" "$url"
echo "$sum  $SERVER_JARFILE.new" | sha256sum -c -
mv "$SERVER_JARFILE.new" "$SERVER_JARFILE"`

const DOWNLOAD_TOOLS = ['curl', 'jq', 'ca-certificates']

const minecraftCommands = [
  command('help', 'List the commands'),
  command('list', 'Who is here'),
  command('say <message>', 'Say something to everybody'),
  command('op <player>', 'Make a player an operator'),
  command('deop <player>', 'Make an operator a player'),
  command('kick <player> <reason>', 'Disconnect a player'),
  command('ban <player> <reason>', 'Ban a player'),
  command('pardon <player>', 'Lift a ban'),
  command('whitelist add <player>', 'Let a player in'),
  command('whitelist remove <player>', 'Keep a player out'),
  command('whitelist on', 'Let in only who is on the list'),
  command('whitelist off', 'Let everybody in'),
  command('gamemode <mode> <player>', 'survival, creative, adventure or spectator'),
  command('difficulty <difficulty>', 'peaceful, easy, normal or hard'),
  command('gamerule <rule> <value>', 'Change a rule of the game'),
  command('give <player> <item> <count>', 'Give a player items'),
  command('tp <player> <target>', 'Teleport a player'),
  command('time set <time>', 'day, noon, night or a number'),
  command('weather <weather>', 'clear, rain or thunder'),
  command('save-all', 'Write the world to disk'),
  command('stop', 'Save and stop'),
]

export const minecraftPaper: BuiltInInput = {
  format: 'lodge/v1',
  uuid: 'b83fa7bb-bb27-47f7-8b7a-8c30a43431a3',
  name: 'Minecraft: Paper',
  author: 'Lodge',
  description: 'Minecraft Java Edition with plugins. Java comes from the registry docker.io.',
  tags: ['game', 'minecraft'],
  icon: 'sheet',
  connection: ['In Minecraft: Multiplayer, Add Server, address {{server.address}}:{{server.port}}'],
  commands: minecraftCommands,
  kind: 'container',
  runtime: {
    images: [java(21), java(25), java(17)],
    startup: { kind: 'argv', command: [...JAVA_COMMAND, '--nogui'] },
    environment: { HOME: DATA },
    dataPath: DATA,
    proofOfLife: { ...printed(')! For help, type '), timeoutSeconds: 900 },
    stop: commanded('stop', 180),
    configFiles: [
      { path: 'eula.txt', parser: 'properties', edits: [{ match: 'eula', value: '{{EULA}}' }] },
      serverProperties,
    ],
    install: shellInstall(DOWNLOAD_TOOLS, PAPER_DOWNLOAD('paper')),
    query: { kind: 'protocol', protocol: 'minecraft' },
    port: { protocol: 'both' },
    limits: { memoryMb: 3072, cpuPercent: 200, diskMb: 10_240 },
    memoryOverheadMb: 768,
    // A large world takes a while to write.
    backup: { before: ['save-off', 'save-all flush'], after: ['save-on'], settleSeconds: 10 },
  },
  variables: [...gameVariables, jarFile],
  features: ['eula', 'java_version', 'pid_limit'],
}

export const minecraftVanilla: BuiltInInput = {
  ...minecraftPaper,
  uuid: '48d549be-b659-47cd-b826-e7091c3395e2',
  name: 'Minecraft: vanilla',
  icon: 'turf',
  description: 'Minecraft Java Edition as Mojang makes it. Java comes from the registry docker.io.',
  runtime: {
    ...minecraftPaper.runtime,
    install: shellInstall(
      DOWNLOAD_TOOLS,
      `
manifest=$(curl -fsSL https://piston-meta.mojang.com/mc/game/version_manifest_v2.json)
version="$MINECRAFT_VERSION"
[ "$version" != latest ] || version=$(printf '%s' "$manifest" | jq -r .latest.release)
echo "Version $version"
meta=$(printf '%s' "$manifest" | jq -r --arg id "$version" '.versions[] | select(.id == $id) | .url')
[ -n "$meta" ] || { echo "There is no version $version"; exit 1; }
server=$(curl -fsSL "$meta" | jq -c .downloads.server)
curl -fsSL -o "$SERVER_JARFILE.new" "$(printf '%s' "$server" | jq -r .url)"
echo "$(printf '%s' "$server" | jq -r .sha1)  $SERVER_JARFILE.new" | sha1sum -c -
mv "$SERVER_JARFILE.new" "$SERVER_JARFILE"`,
    ),
  },
}

const { backup: _, ...javaRuntime } = minecraftPaper.runtime

export const velocity: BuiltInInput = {
  ...minecraftPaper,
  uuid: 'd7ecc5a8-ba85-46fe-b147-4944a090a61a',
  name: 'Minecraft: Velocity proxy',
  icon: 'relay',
  description:
    'Joins several Minecraft servers to one network. Java comes from the registry docker.io.',
  commands: [
    command('velocity version', 'Which version runs'),
    command('glist all', 'Who is on which server'),
    command('server <server>', 'Move to another server'),
    command('send <player> <server>', 'Move a player to another server'),
    command('shutdown', 'Disconnect everybody and stop'),
  ],
  runtime: {
    ...javaRuntime,
    startup: { kind: 'argv', command: JAVA_COMMAND },
    proofOfLife: { ...printed('Done ('), timeoutSeconds: 300 },
    stop: commanded('shutdown', 60),
    configFiles: [
      {
        path: 'velocity.toml',
        parser: 'toml',
        create: false,
        edits: [{ match: 'bind', value: '0.0.0.0:{{SERVER_PORT}}' }],
      },
    ],
    install: shellInstall(
      DOWNLOAD_TOOLS,
      `${PAPER_DOWNLOAD('velocity')}
if [ ! -e velocity.toml ]; then
cat > velocity.toml <<CONFIG
config-version = "2.7"
bind = "0.0.0.0:$SERVER_PORT"
motd = "<#09add3>A Velocity server"
show-max-players = 500
online-mode = true
player-info-forwarding-mode = "modern"
forwarding-secret-file = "forwarding.secret"

[servers]
lobby = "127.0.0.1:30066"
try = ["lobby"]

[forced-hosts]
CONFIG
fi
[ -e forwarding.secret ] || head -c 18 /dev/urandom | base64 | tr -d '\\n' > forwarding.secret`,
    ),
    query: { kind: 'protocol', protocol: 'minecraft' },
    port: { protocol: 'tcp' },
    limits: { memoryMb: 768, cpuPercent: 100, diskMb: 1024 },
    memoryOverheadMb: 256,
  },
  variables: [{ ...gameVersion, description: 'A version of Velocity, or latest.' }, jarFile],
  features: [],
}

export const minecraftBedrock: BuiltInInput = {
  format: 'lodge/v1',
  uuid: 'ca71b471-7723-4e89-be77-9fcde3f6a501',
  name: 'Minecraft: Bedrock Edition',
  author: 'Lodge',
  description:
    'Minecraft for phones, consoles and Windows. The image comes from the registry docker.io and downloads the program at the first start.',
  tags: ['game', 'minecraft'],
  icon: 'strata',
  connection: [
    'In Minecraft: Play, Servers, Add Server, address {{server.address}}, port {{server.port}}.',
  ],
  commands: minecraftCommands,
  kind: 'container',
  runtime: {
    images: [
      {
        name: 'Latest',
        source: { kind: 'registry', reference: 'docker.io/itzg/minecraft-bedrock-server:latest' },
      },
    ],
    startup: { kind: 'argv', command: [] },
    environment: {
      HOME: DATA,
      SERVER_PORT_V6: '{{SERVER_PORT}}',
      SERVER_NAME: '{{SERVER_TITLE}}',
      VERSION: '{{MINECRAFT_VERSION}}',
    },
    dataPath: DATA,
    proofOfLife: { ...printed('Server started.'), timeoutSeconds: 900 },
    stop: signalled('SIGTERM', 120),
    writableRoot: true,
    query: { kind: 'protocol', protocol: 'minecraft-bedrock' },
    port: { protocol: 'udp' },
    limits: { memoryMb: 1024, cpuPercent: 100, diskMb: 4096 },
    backup: { before: ['save hold'], after: ['save resume'], settleSeconds: 10 },
  },
  variables: [
    { ...eula, rules: eula.rules },
    { ...gameVersion, default: 'LATEST', description: 'A version, LATEST or PREVIEW.' },
    {
      name: 'Name of the server',
      env: 'SERVER_TITLE',
      default: 'A Bedrock server',
      rules: [{ rule: 'required' }, ...plainLine(80)],
    },
    {
      name: 'Players at most',
      env: 'MAX_PLAYERS',
      default: '10',
      rules: [{ rule: 'required' }, { rule: 'integer' }, { rule: 'between', min: 1, max: 200 }],
    },
    {
      name: 'Game mode',
      env: 'GAMEMODE',
      default: 'survival',
      rules: [{ rule: 'required' }, { rule: 'in', values: ['survival', 'creative', 'adventure'] }],
    },
    {
      name: 'Difficulty',
      env: 'DIFFICULTY',
      default: 'normal',
      rules: [{ rule: 'required' }, { rule: 'in', values: ['peaceful', 'easy', 'normal', 'hard'] }],
    },
  ],
}
