import type { ChannelDelivery, NotificationChannel } from '@lodge/shared/notification-channels.ts'
import type { Tone } from '@lodge/shared/theme/tokens.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { saidReason } from '../../../panel/said.ts'
import { q, useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { entryOf } from '../../../ui/data/known.ts'
import { Pager } from '../../../ui/data/pager.tsx'
import { Pill } from '../../../ui/data/status.tsx'
import { Ago } from '../../../ui/data/time.tsx'
import { SidePanel } from '../../../ui/dialogs/dialog.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { Output } from '../../../ui/panes/output.tsx'
import styles from './channel-log.module.css'
import { t } from './words.ts'

const LOG = 'GET /api/notification-channels/{id}/deliveries'
/** Queued messages are sent soon. */
const REFRESH_MS = 5_000

interface Look {
  readonly tone: Tone
  readonly word: () => string
}

const LOOKS: Readonly<Record<ChannelDelivery['state'], Look>> = {
  queued: { tone: 'pend', word: () => t.queued },
  sent: { tone: 'ok', word: () => t.sent },
  failed: { tone: 'err', word: () => t.failedState },
  dropped: { tone: 'idle', word: () => t.dropped },
}

/** What was sent to a channel, and the receiver's answers. */
export function ChannelLog({
  channel,
  onClose,
}: {
  channel: NotificationChannel
  onClose: () => void
}) {
  const [after, setAfter] = useState<string>()
  const params = { id: channel.id }
  const log = useQuery({
    ...q(LOG, { params, query: { limit: 20, ...(after === undefined ? {} : { after }) } }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
  const resend = useAct('POST /api/notification-channels/{id}/deliveries/{deliveryId}/resend', [
    LOG,
  ])
  return (
    <SidePanel title={t.logTitle({ name: channel.name })} opened onClose={onClose}>
      <Column>
        <Text muted>{t.logLead}</Text>
        <Loaded query={log} lines={5}>
          {({ items, nextCursor }) =>
            items.length === 0 ? (
              <Empty title={t.logNone} art="bell">
                {t.logNoneText}
              </Empty>
            ) : (
              <>
                <ul className={styles.list}>
                  {items.map((item) => (
                    <Entry
                      key={item.id}
                      item={item}
                      onResend={() =>
                        resend.mutate(
                          { params: { ...params, deliveryId: item.id } },
                          {
                            onSuccess: () => toastDone(t.resent),
                            onError: (error) => toastRefused(t.notDone, error),
                          },
                        )
                      }
                    />
                  ))}
                </ul>
                <Pager shown={items.length} after={after} next={nextCursor} onGo={setAfter} />
              </>
            )
          }
        </Loaded>
      </Column>
    </SidePanel>
  )
}

function Entry({ item, onResend }: { item: ChannelDelivery; onResend: () => void }) {
  const { title, count, state, attempts, nextAttemptAt, status, answer, error, createdAt } = item
  const { tone, word } = entryOf(LOOKS, state, (raw) => ({ tone: 'idle', word: () => raw }))
  const why = state === 'dropped' ? t.droppedWhy : error && saidReason(error)
  return (
    <li>
      <Row between top>
        <Text strong>
          {title} {count > 1 ? t.times({ count }) : null}
        </Text>
        <Pill tone={tone}>{word()}</Pill>
      </Row>
      <Row gap={10}>
        <Text faint small>
          <Ago at={createdAt} />
        </Text>
        {attempts === 0 ? null : (
          <Text faint small>
            {t.attempts({ count: attempts })}
          </Text>
        )}
        {nextAttemptAt === null ? null : (
          <Text faint small>
            {rich(t.nextAttempt({ when: () => <Ago at={nextAttemptAt} /> }))}
          </Text>
        )}
        {status === null ? null : (
          <Text faint small>
            {t.status({ status: String(status) })}
          </Text>
        )}
      </Row>
      {why === null ? null : <Text small>{why}</Text>}
      {answer === null || answer === '' ? null : (
        <Output label={t.answer} text={answer} most={120} />
      )}
      {state === 'sent' || state === 'failed' ? (
        <Row end>
          <Button size="small" onClick={onResend}>
            {t.resend}
          </Button>
        </Row>
      ) : null}
    </li>
  )
}
