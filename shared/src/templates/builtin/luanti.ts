import { LUANTI_LAUNCHER, PLAYER_LIST } from './luanti-console.ts'
import {
  type BuiltInInput,
  commanded,
  DATA,
  debian,
  plainLine,
  printed,
  signalled,
} from './parts.ts'

export const luanti: BuiltInInput = {
  format: 'lodge/v1',
  uuid: '1cfe360f-df21-42c0-98bd-2703a51d9b80',
  name: 'Luanti (Minetest)',
  author: 'Lodge',
  description:
    'Multiplayer block sandbox with the game that Debian ships. Worlds are kept in the folder world. The console takes commands: help lists them, players says who is here.',
  tags: ['game', 'sandbox'],
  icon: 'block',
  kind: 'container',
  runtime: {
    images: [{ name: 'Debian 12', source: debian('minetest-server') }],
    startup: {
      kind: 'argv',
      command: [
        '/bin/sh',
        '-c',
        LUANTI_LAUNCHER,
        'luanti',
        '--world',
        `${DATA}/world`,
        '--gameid',
        '{{GAME}}',
        '--config',
        `${DATA}/minetest.conf`,
        '--port',
        '{{SERVER_PORT}}',
        '--logfile',
        '',
      ],
    },
    environment: { HOME: DATA },
    dataPath: DATA,
    proofOfLife: { ...printed('listening on '), timeoutSeconds: 300 },
    stop: signalled('SIGINT', 120),
    configFiles: [
      {
        path: 'minetest.conf',
        parser: 'ini',
        edits: [
          { match: 'server_name', value: '{{SERVER_TITLE}}' },
          { match: 'motd', value: '{{MOTD}}' },
          { match: 'max_users', value: '{{MAX_PLAYERS}}' },
          { match: 'name', value: '{{ADMIN_NAME}}' },
          { match: 'default_password', value: '{{JOIN_PASSWORD}}' },
          { match: 'creative_mode', value: '{{CREATIVE}}' },
          { match: 'enable_pvp', value: '{{PVP}}' },
          { match: 'server_announce', value: 'false' },
        ],
      },
    ],
    query: { kind: 'file', path: PLAYER_LIST },
    port: { protocol: 'udp' },
    limits: { memoryMb: 512, cpuPercent: 100, diskMb: 2048 },
  },
  variables: [
    {
      name: 'Name of the server',
      env: 'SERVER_TITLE',
      default: 'A Luanti server',
      rules: [{ rule: 'required' }, ...plainLine(80)],
    },
    { name: 'Message of the day', env: 'MOTD', default: 'Welcome!', rules: plainLine(200) },
    {
      name: 'Players at most',
      env: 'MAX_PLAYERS',
      default: '15',
      rules: [{ rule: 'required' }, { rule: 'integer' }, { rule: 'between', min: 1, max: 200 }],
    },
    {
      name: 'Administrator',
      description: 'Name of the player who has every privilege.',
      env: 'ADMIN_NAME',
      default: 'admin',
      rules: [{ rule: 'required' }, { rule: 'regex', pattern: '^[A-Za-z0-9_-]{1,20}$', flags: '' }],
    },
    { name: 'Password of new players', env: 'JOIN_PASSWORD', rules: plainLine(64), secret: true },
    {
      name: 'Creative mode',
      env: 'CREATIVE',
      default: 'false',
      rules: [{ rule: 'required' }, { rule: 'in', values: ['true', 'false'] }],
    },
    {
      name: 'Players may fight',
      env: 'PVP',
      default: 'true',
      rules: [{ rule: 'required' }, { rule: 'in', values: ['true', 'false'] }],
    },
    {
      name: 'Game',
      description: 'minetest_game, or a game in the folder .minetest/games.',
      env: 'GAME',
      default: 'minetest_game',
      rules: [{ rule: 'required' }, { rule: 'regex', pattern: '^[a-z0-9_]{1,64}$', flags: '' }],
    },
  ],
}

export const openttd: BuiltInInput = {
  format: 'lodge/v1',
  uuid: 'd1d13fba-8abe-4634-8661-63443993ebbf',
  name: 'OpenTTD',
  author: 'Lodge',
  description:
    'Transport business simulation with the free graphics set. Saved games are in save; the newest automatic one can be loaded from the console.',
  tags: ['game', 'simulation'],
  icon: 'rail',
  kind: 'container',
  runtime: {
    images: [{ name: 'Debian 12', source: debian('openttd', 'openttd-opengfx') }],
    startup: {
      kind: 'argv',
      command: ['/usr/games/openttd', '-D', '0.0.0.0:{{SERVER_PORT}}', '-c', `${DATA}/openttd.cfg`],
    },
    environment: { HOME: DATA },
    dataPath: DATA,
    proofOfLife: { ...printed('Map generated, starting game', 'Map loaded'), timeoutSeconds: 300 },
    stop: commanded('quit', 60),
    configFiles: [
      {
        path: 'openttd.cfg',
        parser: 'ini',
        edits: [
          { match: 'network.server_name', value: '{{SERVER_TITLE}}' },
          { match: 'network.max_clients', value: '{{MAX_PLAYERS}}' },
          { match: 'network.server_game_type', value: 'local' },
          { match: 'network.autoclean_companies', value: 'true' },
        ],
      },
      {
        path: 'secrets.cfg',
        parser: 'ini',
        edits: [{ match: 'network.server_password', value: '{{JOIN_PASSWORD}}' }],
      },
    ],
    query: { kind: 'protocol', protocol: 'openttd' },
    port: { protocol: 'both' },
    limits: { memoryMb: 512, cpuPercent: 100, diskMb: 1024 },
  },
  variables: [
    {
      name: 'Name of the server',
      env: 'SERVER_TITLE',
      default: 'An OpenTTD server',
      rules: [{ rule: 'required' }, ...plainLine(79)],
    },
    {
      name: 'Players at most',
      env: 'MAX_PLAYERS',
      default: '25',
      rules: [{ rule: 'required' }, { rule: 'integer' }, { rule: 'between', min: 2, max: 255 }],
    },
    { name: 'Password', env: 'JOIN_PASSWORD', rules: plainLine(32), secret: true },
  ],
}
