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
      console.log(JSON.stringify(await checkRegistries()))
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
