import type { Ctx } from '../../../context.ts'
import { currentLook, publicLook } from '../../branding/index.ts'
import { mailPanel } from '../../email/index.ts'
import type { PushSending, Sending } from './kinds/kind.ts'
import type { Parcel } from './message.ts'
import type { ChannelRow } from './store.ts'
import { openSecrets, openTarget } from './target.ts'
import { openVapid } from './web-push/keys.ts'

type Needs = Pick<Ctx, 'db' | 'vault' | 'panelUrl'>

/** The picture beside notifications; browsers draw no SVG there. */
const ICON = '/notification.png'

/** Everything that a channel's kind needs to build a request. */
export async function sendingTo(
  services: Needs,
  channel: ChannelRow,
  parcel: Parcel,
  now: Date,
  attempt = 1,
): Promise<Sending> {
  return {
    target: openTarget(services.vault, channel),
    parcel,
    attempt,
    panel: await mailPanel(services),
    style: channel.style,
    secrets: openSecrets(services.vault, channel, now),
    now,
    push: channel.kind === 'web_push' ? await pushSending(services) : undefined,
  }
}

async function pushSending(services: Needs): Promise<PushSending> {
  const { branding } = await currentLook(services.db)
  const { mark, favicon } = publicLook(branding).images
  return { vapid: await openVapid(services), icon: mark ?? favicon ?? ICON }
}
