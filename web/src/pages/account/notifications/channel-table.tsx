import type { NotificationChannel } from '@lodge/shared/notification-channels.ts'
import { useState } from 'react'
import { useAct } from '../../../query.ts'
import { unsubscribe } from '../../../session/push-subscription.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { wordOf } from '../../../ui/data/known.ts'
import { RowActions } from '../../../ui/data/row-actions.tsx'
import { Pill } from '../../../ui/data/status.tsx'
import { type Column, Table } from '../../../ui/data/table.tsx'
import { Ago, At } from '../../../ui/data/time.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { Row, Column as Stack, Text } from '../../../ui/page/layout.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { wordsOfKind } from './kinds.ts'
import { thisBrowser } from './push.ts'
import { TestResult, useTest } from './test-result.tsx'
import { t } from './words.ts'

const LIST = ['GET /api/notification-channels'] as const
const refused = (error: Error) => toastRefused(t.notDone, error)

interface ChannelTableProps {
  items: readonly NotificationChannel[]
  onEdit: (channel: NotificationChannel) => void
  onLog: (channel: NotificationChannel) => void
  onSecret: (secret: string) => void
}

type Question = { readonly what: 'remove' | 'rotate'; readonly channel: NotificationChannel }

/** The channels, with their state and actions. */
export function ChannelTable({ items, onEdit, onLog, onSecret }: ChannelTableProps) {
  const [question, setQuestion] = useState<Question>()
  const { test, testing, tested, forget } = useTest()
  const edit = useAct('PATCH /api/notification-channels/{id}', LIST)
  const mailAgain = useAct('POST /api/notification-channels/{id}/verification', LIST)
  const remove = useAct('DELETE /api/notification-channels/{id}', LIST)
  const rotate = useAct('POST /api/notification-channels/{id}/secret', LIST)
  const close = () => setQuestion(undefined)
  const entriesFor = (channel: NotificationChannel) => {
    const { id, kind, state } = channel
    const params = { id }
    const isOff = state === 'disabled'
    return [
      { label: t.edit, onSelect: () => onEdit(channel) },
      { label: t.log, onSelect: () => onLog(channel) },
      ...(kind === 'webhook'
        ? [{ label: t.rotate, onSelect: () => setQuestion({ what: 'rotate', channel }) }]
        : []),
      ...(state === 'unverified'
        ? [
            {
              label: t.mailAgain,
              onSelect: () =>
                mailAgain.mutate(
                  { params },
                  { onSuccess: () => toastDone(t.mailed), onError: refused },
                ),
            },
          ]
        : [
            {
              label: isOff ? t.resume : t.pause,
              onSelect: () =>
                edit.mutate({ params, body: { enabled: isOff } }, { onError: refused }),
            },
          ]),
      {
        label: t.remove,
        danger: true,
        separated: true,
        onSelect: () => setQuestion({ what: 'remove', channel }),
      },
    ]
  }
  const columns: readonly Column<NotificationChannel>[] = [
    {
      header: t.name,
      role: 'title',
      cell: (channel) => (
        <Stack gap={2}>
          <Text strong>{channel.name}</Text>
          <Text faint small clip title={channel.to ?? channel.url ?? ''}>
            {wordsOfKind(channel.kind).name} · {channel.to ?? channel.url}
          </Text>
        </Stack>
      ),
    },
    { header: t.state, cell: (channel) => <State channel={channel} /> },
    {
      header: t.lastDelivered,
      cell: ({ lastDeliveredAt }) => (lastDeliveredAt ? <Ago at={lastDeliveredAt} /> : t.never),
    },
    {
      header: t.actions,
      role: 'acts',
      cell: (channel) => (
        <Row gap={6} nowrap>
          <Button
            size="small"
            busy={testing === channel.id}
            disabledBecause={channel.state === 'unverified' ? t.confirmFirst : undefined}
            onClick={() => test(channel)}
          >
            {t.test}
          </Button>
          <RowActions label={t.actionsFor({ name: channel.name })} entries={entriesFor(channel)} />
        </Row>
      ),
    },
  ]
  return (
    <>
      <Table
        label={t.channels}
        rows={items}
        columns={columns}
        keyOf={({ id }) => id}
        empty={null}
      />
      {tested ? <TestResult {...tested} onClose={forget} /> : null}
      {question?.what === 'remove' ? (
        <ConfirmDialog
          opened
          title={t.removeTitle({ name: question.channel.name })}
          verb={t.removeVerb}
          onConfirm={async () => {
            const { id, browser } = question.channel
            await remove.mutateAsync({ params: { id } })
            if (browser !== null && browser === (await thisBrowser())) await unsubscribe()
          }}
          onClose={close}
        >
          {t.removeText}
        </ConfirmDialog>
      ) : null}
      {question?.what === 'rotate' ? (
        <ConfirmDialog
          opened
          title={t.rotateVerb}
          verb={t.rotateVerb}
          kind="primary"
          onConfirm={async () => {
            const { secret } = await rotate.mutateAsync({ params: { id: question.channel.id } })
            onSecret(secret)
          }}
          onClose={close}
        >
          {t.rotateQuestion({ name: question.channel.name })}
        </ConfirmDialog>
      ) : null}
    </>
  )
}

const WHY = {
  gone: () => t.gone,
  failing: () => t.failingDays,
  unsubscribed: () => t.unsubscribed,
  paused: () => t.paused,
}

function State({
  channel: { state, disabledReason, failingSince },
}: {
  channel: NotificationChannel
}) {
  if (state === 'unverified')
    return (
      <Stack gap={2}>
        <Pill tone="warn">{t.unverified}</Pill>
        <Text faint small>
          {t.confirmFirst}
        </Text>
      </Stack>
    )
  if (state === 'disabled')
    return (
      <Stack gap={2}>
        <Pill tone={disabledReason === 'paused' ? 'idle' : 'err'}>{t.disabled}</Pill>
        {disabledReason ? (
          <Text faint small>
            {wordOf(WHY, disabledReason)}
          </Text>
        ) : null}
      </Stack>
    )
  if (failingSince === null) return <Pill tone="ok">{t.active}</Pill>
  return (
    <Stack gap={2}>
      <Pill tone="warn">{t.failing}</Pill>
      <Text faint small>
        {rich(t.failingSince({ when: () => <At at={failingSince} /> }))}
      </Text>
    </Stack>
  )
}
