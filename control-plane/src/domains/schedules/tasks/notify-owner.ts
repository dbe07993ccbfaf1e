import { taskKind } from './task-kind.ts'

/** Notifies the server's owner. */
export const notifyOwner = taskKind({
  action: 'notify',
  may: () => ['schedules.manage'],
  async run({ message }, { server, schedule, once }) {
    await once('emit', async (ctx) => {
      await ctx.emit('schedule.notified', {
        serverId: server.id,
        serverName: server.name,
        ownerId: server.ownerId,
        scheduleId: schedule.id,
        message,
      })
      return {}
    })
  },
})
