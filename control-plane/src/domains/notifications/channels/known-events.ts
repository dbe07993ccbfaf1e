import type { User } from '../../../actor.ts'
import { hasPermission } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { NOTICE_GROUPS, type NoticeType } from '../../../events/notices.ts'

export interface KnownEvent extends Pick<NoticeType, 'title' | 'severity' | 'group'> {
  readonly type: string
  readonly forStaff: boolean
}

/** The types of events to which the caller may subscribe, in the order of their groups. */
export function knownEvents(ctx: Ctx<User>): KnownEvent[] {
  const known = [...ctx.catalogue.noticeTypes].filter(
    ([, { staff }]) => staff === undefined || hasPermission(ctx.actor, staff),
  )
  return known
    .map(([type, { title, severity, group, staff }]) => ({
      ...{ type, title, severity, group },
      forStaff: staff !== undefined,
    }))
    .sort((a, b) => NOTICE_GROUPS.indexOf(a.group) - NOTICE_GROUPS.indexOf(b.group))
}
