import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const module = path.join(import.meta.dirname, 'registries.ts')

it.runIf(process.getuid?.() === 0)(
  'names each registry that cannot be reached, and what to do, without waiting long',
  async () => {
    const script = `import { checkRegistries } from '${module}'
      console.log(JSON.stringify(await checkRegistries()))
      process.exit()`
    // A network with nothing in it.
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
