import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const module = path.join(import.meta.dirname, 'registries.ts')

it.runIf(process.getuid?.() === 0)(
  'reports each unreachable registry with a remedy, and does not take long',
  async () => {
    const script = `import { checkRegistries } from '${module}'
      console.log(JSON.stringify(await checkRegistries([])))
      process.exit()`
    // An empty network namespace.
    const node = [process.execPath, '--input-type=module', '--eval', script] as const
    const { stdout } = await run('unshare', ['--net', '--', ...node])
    const checks = JSON.parse(stdout)
    expect(checks.map(({ id }: { id: string }) => id)).toEqual([
      'registry:docker.io',
      'registry:ghcr.io',
      'registry:quay.io',
    ])
    for (const check of checks)
      expect(check).toMatchObject({
        state: 'warning',
        summary: expect.stringMatching(/cannot be reached: \S/),
        remedy: expect.stringContaining('by HTTPS'),
      })
  },
)

it.runIf(process.getuid?.() === 0)(
  'reports docker.io as reachable through a mirror of the engine',
  async () => {
    const script = `import { execFileSync } from 'node:child_process'
    import http from 'node:http'
    import { checkRegistries } from '${module}'
    execFileSync('ip', ['link', 'set', 'lo', 'up'])
    const mirror = http.createServer((_request, response) => response.writeHead(401).end())
    await new Promise((listening) => mirror.listen(0, '127.0.0.1', listening))
    const url = 'http://127.0.0.1:' + mirror.address().port + '/'
    console.log(JSON.stringify([
      await checkRegistries(['http://127.0.0.1:1/', url]),
      await checkRegistries(['http://127.0.0.1:1/', 'no url']),
    ]))
    process.exit()`
    const node = [process.execPath, '--input-type=module', '--eval', script] as const
    const { stdout } = await run('unshare', ['--net', '--', ...node])
    const [mirrored, alone] = JSON.parse(stdout)
    const states = (checks: { state: string }[]) => checks.map(({ state }) => state)
    expect(states(mirrored)).toEqual(['ok', 'warning', 'warning'])
    expect(mirrored[0].summary).toMatch(
      /^Images of docker\.io come from its mirror 127\.0\.0\.1:\d+$/,
    )
    expect(states(alone)).toEqual(['warning', 'warning', 'warning'])
  },
)
