import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { sftpUserName } from '@lodge/shared/sftp.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { treeOf } from '../../../agent/src/backups/testing/tree-of.ts'
import { type FileWorld, fileWorld } from '../../api/files/world.ts'
import { Machine } from '../../api/sftp/client.ts'
import { ownMounts } from '../../support/own-mounts.ts'
import { startLodge } from '../../support/stack.ts'

const run = promisify(execFile)
/** Debian's packages install them there. */
const missing = ['sshfs', 'rsync', 'rclone', 'psftp'].some(
  (name) => !existsSync(`/usr/bin/${name}`),
)

describe.skipIf(missing)('other programs than OpenSSH’s reach the files of a server', () => {
  let world: FileWorld
  let desk: Machine
  let user: string
  let port: string
  let password: string
  beforeAll(async () => {
    world = await fileWorld(({ environment }) =>
      startLodge({ environment: { ...environment, LODGE_SFTP: 'true' } }),
    )
    const portOf = () => world.lodge.controlPlane.services.sftp.port ?? 0
    desk = await Machine.open(portOf)
    port = String(portOf())
    user = sftpUserName(world.owner.email, world.serverId)
    const params = { id: world.serverId }
    const publicKey = await readFile(desk.at('id.pub'), 'utf8')
    await world.owner.must('POST /api/account/ssh-keys', { body: { name: 'Mine', publicKey } })
    password = (await world.owner.must('POST /api/servers/{id}/sftp/password', { params })).password
    await makeTree(desk.at('tree'))
  })
  beforeEach(() => world.lodge.database.pool.query('truncate rate_limits'))
  afterAll(async () => {
    await desk?.[Symbol.asyncDispose]()
    await world?.[Symbol.asyncDispose]()
  })

  const inServer = (name: string) => path.join(world.folder, name)

  /** Runs the commands in a shell in which `$THERE` is the files of the server, mounted by sshfs. */
  async function mounted(commands: readonly string[]): Promise<string> {
    await mkdir(desk.at('there'), { recursive: true })
    const options = [
      ...['StrictHostKeyChecking=no', `UserKnownHostsFile=${desk.at('known_hosts')}`],
      ...[`IdentityFile=${desk.at('id')}`, 'IdentitiesOnly=yes', 'LogLevel=ERROR', `port=${port}`],
    ].join(',')
    const script = [
      'sshfs "$WHO@127.0.0.1:/" "$THERE" -o "$OPTIONS"',
      `trap 'cd /; fusermount3 -u "$THERE"' EXIT`,
      ...commands,
    ].join('\n')
    // In a mount namespace of its own: invisible to others on this machine, and removed with the
    // shell.
    const { stdout } = await run('unshare', [...ownMounts('sh', '-euc', script)], {
      cwd: desk.folder,
      env: { ...process.env, WHO: user, THERE: desk.at('there'), OPTIONS: options },
      timeout: 120_000,
    })
    return stdout
  }

  test('sshfs: a mounted folder can be written, overwritten, renamed and emptied like any other', async () => {
    const said = await mounted([
      'cd "$THERE"',
      'mkdir -p sshfs/deep && echo first > sshfs/deep/file',
      'echo second >> sshfs/deep/file',
      // Editors save like this: a temporary file replaces the original.
      'echo saved > sshfs/deep/.file.new && mv sshfs/deep/.file.new sshfs/deep/file',
      'mv sshfs/deep sshfs/renamed && truncate -s 3 sshfs/renamed/file',
      'chmod 600 sshfs/renamed/file',
      'touch -d 2020-02-03T04:05:06Z sshfs/renamed/file',
      'cat sshfs/renamed/file; stat -c " %a %Y" sshfs/renamed/file',
      'touch sshfs/gone && rm sshfs/gone && ls sshfs',
    ])
    expect(said).toBe(`sav 600 ${Date.UTC(2020, 1, 3, 4, 5, 6) / 1000}\nrenamed\n`)
    expect(await readFile(inServer('sshfs/renamed/file'), 'utf8')).toBe('sav')
  })

  test('rsync: a tree is uploaded completely, only changes are sent again, and it is downloaded unchanged', async () => {
    // As the help explains, without options it finds no rsync on the other side.
    const alone = await run(
      'rsync',
      [
        '-r',
        '-e',
        `ssh -p ${port} -o BatchMode=yes -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=${desk.at('known_hosts')} -i ${desk.at('id')}`,
        'tree/',
        `${user}@127.0.0.1:alone`,
      ],
      { cwd: desk.folder, timeout: 60_000 },
    ).catch(String)
    expect(alone).toContain('there is no shell. Use sftp, scp, rclone or sshfs.')

    const changes = 'rsync --recursive --times --perms --delete --itemize-changes'
    const first = await mounted([`${changes} tree/ "$THERE/synced/"`])
    expect(first).toContain('>f+++++++++ folder 3/file 7')
    expect(await plainTree(inServer('synced'))).toEqual(await plainTree(desk.at('tree')))

    await cp(desk.at('tree'), desk.at('changed'), { recursive: true, preserveTimestamps: true })
    await writeFile(desk.at('changed/folder 3/file 7'), 'a longer text than before')
    const second = await mounted([
      `${changes} changed/ "$THERE/synced/"`,
      'rsync --recursive --times --perms "$THERE/synced/" back/',
    ])
    const files = second.split('\n').filter((line) => /^[<>]f/.test(line))
    expect(files).toEqual([expect.stringMatching(/^>f.* folder 3\/file 7$/)])
    expect(await plainTree(desk.at('back'))).toEqual(await plainTree(desk.at('changed')))
  })

  test('rclone: a tree is synced both ways, and every byte is compared', async () => {
    const remote = ':sftp:rclone'
    const rclone = (...args: readonly string[]) =>
      run('rclone', args, {
        cwd: desk.folder,
        env: {
          ...process.env,
          ...{ RCLONE_CONFIG: '/dev/null', RCLONE_SFTP_HOST: '127.0.0.1', RCLONE_SFTP_PORT: port },
          ...{ RCLONE_SFTP_USER: user, RCLONE_SFTP_KEY_FILE: desk.at('id') },
        },
        timeout: 120_000,
      })
    await rclone('sync', 'tree', remote)
    await rclone('check', '--download', 'tree', remote)
    await rclone('sync', remote, 'from-rclone')
    const files = async (folder: string) => [...(await plainTree(folder)).keys()]
    expect(await files(desk.at('from-rclone'))).toEqual(await files(desk.at('tree')))
  })

  test('psftp, on which WinSCP and FileZilla are based: puts, lists, renames and gets with the password', async () => {
    const { hostKeys } = await world.owner.must('GET /api/servers/{id}/sftp', {
      params: { id: world.serverId },
    })
    const key = hostKeys.find(({ type }) => type === 'ssh-ed25519')?.fingerprint ?? ''
    await writeFile(
      desk.at('commands'),
      [
        ...['mkdir putty', 'cd putty', 'put -r tree', 'mv "tree/folder 1" other'],
        ...['ls other', 'get "other/file 2" got', 'del "other/file 2"', 'bye', ''],
      ].join('\n'),
    )
    const { stdout } = await run(
      'psftp',
      [
        ...['-batch', '-b', 'commands', '-P', port, '-hostkey', key],
        ...['-pw', password, `${user}@127.0.0.1`],
      ],
      { cwd: desk.folder, env: { ...process.env, HOME: desk.folder }, timeout: 60_000 },
    )
    expect(stdout).toContain('file 1')
    expect(await readFile(desk.at('got'), 'utf8')).toBe('2 of folder 1')
    const left = await treeOf(inServer('putty'))
    expect([left.has('/other/file 3'), left.has('/other/file 2')]).toEqual([true, false])
  })
})

/** Folders with files, including an empty one, with several modes and times. */
async function makeTree(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'empty'), { recursive: true })
  for (let at = 0; at < 5; at++) {
    const inside = path.join(folder, `folder ${at}`)
    await mkdir(inside)
    for (let name = 0; name < 10; name++) {
      const file = path.join(inside, `file ${name}`)
      await writeFile(file, `${name} of folder ${at}`)
      await chmod(file, name % 2 === 0 ? 0o644 : 0o755)
      await utimes(file, 1_600_000_000 + name, 1_600_000_000 + name)
    }
  }
}

/**
 * Contents, modes and times of the files, by path: times in seconds as in SFTP, and without those of
 * folders, which change with their contents.
 */
async function plainTree(folder: string): Promise<Map<string, unknown>> {
  const entries = [...(await treeOf(folder))]
    .map(([name, facts]) => [name, Object(facts)] as const)
    .filter(([, facts]) => 'hash' in facts)
    .map(([name, { hash, mode, mtimeNs }]) => {
      const seconds = mtimeNs / 1_000_000_000n
      return [name, { hash, mode, seconds }] as const
    })
  return new Map(entries)
}
