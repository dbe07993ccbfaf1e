import { runOnNode } from '../../../jobs/sagas/run-on-node.ts'
import { Permanent } from '../../../jobs/sagas/saga.ts'
import { Problem } from '../../../problem.ts'
import { requireCommandable } from '../../servers/index.ts'
import { taskKind } from './task-kind.ts'

/** Sends a line to the console. */
export const command = taskKind({
  action: 'command',
  may: () => ['console.write'],
  async run(task, { ctx, tools, server, schedule, name }) {
    await requireCommandable(ctx, server)
    try {
      await runOnNode(tools, {
        nodeId: server.nodeId,
        serverId: server.id,
        name,
        work: {
          $case: 'sendCommand',
          value: { text: task.command, person: `Schedule ${schedule.name}` },
        },
        // A command is meant for now, not for when the node is back.
        once: true,
        timeoutMs: 10_000,
      })
    } catch (error) {
      if (error instanceof Permanent && error.code === 'not_running')
        throw new Problem('invalid_state', 'The server is not running')
      throw error
    }
  },
})
