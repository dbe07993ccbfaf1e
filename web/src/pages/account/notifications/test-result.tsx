import type { ChannelTest, NotificationChannel } from '@lodge/shared/notification-channels.ts'
import { useState } from 'react'
import { saidReason } from '../../../panel/said.ts'
import { useAct } from '../../../query.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { toastRefused } from '../../../ui/notices/toast.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { Output } from '../../../ui/panes/output.tsx'
import { t } from './words.ts'

interface Tested {
  readonly channel: NotificationChannel
  readonly result: ChannelTest
}

/** Sends test messages and keeps the result of the last one. */
export function useTest() {
  const [tested, setTested] = useState<Tested>()
  const act = useAct('POST /api/notification-channels/{id}/test', [
    'GET /api/notification-channels',
  ])
  return {
    tested,
    testing: act.isPending ? act.variables.params.id : undefined,
    forget: () => setTested(undefined),
    test: (channel: NotificationChannel) =>
      act.mutate(
        { params: { id: channel.id } },
        {
          onSuccess: (result) => setTested({ channel, result }),
          onError: (error) => toastRefused(t.notDone, error),
        },
      ),
  }
}

/** A receiver's answer to a test message. */
export function TestResult({ channel, result, onClose }: Tested & { onClose: () => void }) {
  const { delivered, status, answer, error, durationMs } = result
  const { name } = channel
  return (
    <Dialog title={t.test} opened onClose={onClose}>
      <Column gap={12}>
        <Note
          tone={delivered ? 'ok' : 'err'}
          role="status"
          title={delivered ? t.tested({ name }) : t.testFailed({ name })}
        >
          {error === null ? null : <Text>{saidReason(error)}</Text>}
        </Note>
        {status === null || !delivered ? null : (
          <Text muted>{t.answered({ status: String(status), ms: String(durationMs) })}</Text>
        )}
        {answer === '' ? (
          status === null ? null : (
            <Text muted>{t.emptyAnswer}</Text>
          )
        ) : (
          <Output label={t.answer} text={answer} />
        )}
      </Column>
    </Dialog>
  )
}
