import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'
import { programEnvironment } from '../../../test/support/run-lodge.ts'

const program = path.resolve(import.meta.dirname, '../lodge.ts')
const TYPED = '7K2QX but not a key'

test('a recovery key that is typed at a terminal is read, and not shown', async () => {
  const restore = `'${process.execPath}' '${program}' restore --from /nowhere`
  const child = spawn('script', ['-qec', restore, '/dev/null'], {
    env: programEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    // The program has switched off the terminal's echo only by now.
    if (shown.endsWith('Recovery key: ')) child.stdin.write(`${TYPED}\r`)
  })
  await once(child, 'close')
  expect(shown).toContain('A recovery key has eight groups')
  expect(shown).not.toContain(TYPED)
})
