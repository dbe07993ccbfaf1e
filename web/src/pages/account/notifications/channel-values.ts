import {
  type ChannelKind,
  isStyled,
  type NotificationChannel,
} from '@lodge/shared/notification-channels.ts'
import { api, type Reply } from '../../../api.ts'
import { typedParts } from './kinds.ts'
import { BUILT_IN, styleOf } from './styles.ts'

/** The values of the channel form. */
export interface ChannelValues {
  kind: ChannelKind
  name: string
  url: string
  to: string
  token: string
  style: string
  /** The initial events of a new channel. */
  events: string
  serverIds: readonly string[]
  digest: string
  hour: string
  quietFrom: string
  quietTo: string
  errorsAtOnce: boolean
}

type KnownEvent = Reply<'GET /api/notification-events'>['items'][number]

/** The style of new channels whose kind has it. */
export const NEW_STYLE = 'card'

export const valuesOf = (channel: NotificationChannel | undefined): ChannelValues => ({
  kind: channel?.kind ?? 'email',
  name: channel?.name ?? '',
  // Must be entered again: the shown address may lack its secret part.
  url: '',
  to: channel?.to ?? '',
  token: '',
  style: channel ? (channel.style ?? BUILT_IN) : NEW_STYLE,
  events: 'problems',
  serverIds: channel?.serverIds ?? [],
  digest: channel?.digest?.every ?? 'off',
  hour: String(channel?.digest?.hour ?? 8),
  quietFrom: channel?.quiet?.from ?? '',
  quietTo: channel?.quiet?.to ?? '',
  errorsAtOnce: channel?.errorsAtOnce ?? true,
})

/** The initial events of a new channel. */
export const eventsOf = (which: string, known: readonly KnownEvent[]): string[] =>
  known
    .filter(({ severity }) => which === 'all' || (which === 'problems' && severity !== 'info'))
    .map(({ type }) => type)

export function saveChannel(
  channel: NotificationChannel | undefined,
  values: ChannelValues,
  known: readonly KnownEvent[],
): Promise<NotificationChannel & { secret?: string | null }> {
  const { kind, name, digest, hour, quietFrom, quietTo, errorsAtOnce } = values
  const every = (['day', 'week'] as const).find((one) => one === digest)
  const hasQuiet = every === undefined && (quietFrom !== '' || quietTo !== '')
  const body = {
    name,
    ...Object.fromEntries(
      typedParts(kind).flatMap((part) => {
        const text = values[part].trim()
        return text === '' || (part === 'to' && text === channel?.to) ? [] : [[part, text]]
      }),
    ),
    ...(isStyled(kind) && { style: styleOf(kind, values.style) }),
    serverIds: values.serverIds.length === 0 ? null : [...values.serverIds],
    digest: every === undefined ? null : { every, hour: Number(hour) },
    quiet: hasQuiet ? { from: quietFrom, to: quietTo } : null,
    errorsAtOnce,
  } as const
  return channel
    ? api('PATCH /api/notification-channels/{id}', { params: { id: channel.id }, body })
    : api('POST /api/notification-channels', {
        body: { ...body, kind, events: eventsOf(values.events, known) },
      })
}
