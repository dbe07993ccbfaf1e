import { type PathName, paths } from '@lodge/shared/panel-paths.ts'
import type { Stage } from './stage.ts'

export interface Screen {
  readonly name: PathName
  readonly path: string
}

/** Pages that are not one screen of a signed-in person, each with the reason. */
const ELSEWHERE: Partial<Record<PathName, string>> = {
  home: 'leads on',
  signIn: 'is for nobody',
  signUp: 'is for nobody',
  verify: 'needs a link',
  forgot: 'is for nobody',
  recover: 'is for nobody',
  accept: 'needs a link',
  join: 'needs a link',
  confirmEmail: 'needs a link',
  undoEmail: 'needs a link',
  transfer: 'needs a link',
  secondFactor: 'leads on',
  setUp: 'leads on',
  serverScreen: 'needs a machine',
  serverSerial: 'needs a machine',
  serverHardware: 'needs a machine',
  serverSnapshots: 'needs a machine',
  serverMove: 'needs a machine',
  screenWindow: 'needs a machine',
}

/** Every screen of the panel that an administrator sees, from the table of addresses. */
export async function everyScreen(stage: Stage): Promise<Screen[]> {
  const plan = await stage.admin.must('POST /api/plans', {
    body: { name: 'Starter', kind: 'account', limits: { maxServers: 2, maxMemoryMb: 4096 } },
  })
  const ids: readonly (readonly [beginning: string, id: string])[] = [
    ['/servers/', stage.servers.running],
    ['/windows/', stage.servers.running],
    ['/admin/nodes/', stage.node.id],
    ['/admin/templates/', stage.templateId],
    ['/admin/plans/', plan.id],
    ['/admin/customers/', stage.customer.id],
  ]
  return (Object.keys(paths) as PathName[])
    .filter((name): name is keyof typeof paths => name in paths && !(name in ELSEWHERE))
    .map((name) => {
      const path = paths[name]
        .replace('$template', 'invitation')
        .replace('$id', ids.find(([beginning]) => paths[name].startsWith(beginning))?.[1] ?? '$')
      if (path.includes('$')) throw new Error(`say here what ${path} is about`)
      return { name, path }
    })
}
