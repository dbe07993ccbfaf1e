import { constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { inspect } from 'node:util'
import { z } from 'zod'
import { fileService } from './helper/service.ts'
import { Tree } from './helper/tree.ts'

/**
 * The helper process of one server's files: started by the agent, usually in a sandbox that holds
 * nothing but these files. It gives up every right of its own before the first request.
 *
 * Arguments: the folder, and whom it belongs to.
 */

const [folder = '', uid = '', gid = ''] = process.argv.slice(2)

const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connection') }),
  z.object({
    kind: z.literal('disk'),
    limitBytes: z.number().nullable(),
    usedBytes: z.number().nullable(),
    measuredAtMs: z.number().nullable(),
    enforced: z.boolean(),
  }),
])

/** The agent writes these lines to its log. */
const report = (error: unknown) => void process.stderr.write(`${inspect(error)}\n`)

process.umask(0o022)
// Open it while this process is still root: only root may traverse every folder above.
const root = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
process.chdir('/')
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(Number(gid))
  process.setuid?.(Number(uid))
}
if (process.getuid?.() === 0) throw new Error('The helper would have the rights of root.')

const tree = new Tree(root)
const service = fileService(tree, report, ({ dueMs }) => {
  if (process.connected) process.send?.({ kind: 'bin', dueMs })
})
// Ends with the agent, which may have been killed.
process.on('disconnect', () => process.exit())
process.on('message', (message: unknown, handle: unknown) => {
  const parsed = Message.safeParse(message)
  if (!parsed.success) return
  if (parsed.data.kind === 'disk') return service.tell(parsed.data)
  if (handle instanceof Socket) service.serve(handle)
})
process.send?.({ kind: 'ready' })
void service.tidy().catch(report)
