import type { NotificationChannel } from '@lodge/shared/notification-channels.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { forgetThisBrowser } from '../../../session/push-subscription.ts'
import { useViewing } from '../../../session/session.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Pill } from '../../../ui/data/status.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { thisBrowser, turnOn, whyNoPush } from './push.ts'
import { t } from './words.ts'

const LIST = 'GET /api/notification-channels'
const BROWSER = ['this-browser'] as const

/** Turns notifications on and off in the browser that shows this page. */
export function ThisBrowser({ channels }: { channels: readonly NotificationChannel[] }) {
  const client = useQueryClient()
  const { data: browser } = useQuery({ queryKey: BROWSER, queryFn: thisBrowser, staleTime: 0 })
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: [LIST] })
    await client.invalidateQueries({ queryKey: BROWSER })
  }
  const on = useMutation({
    mutationFn: turnOn,
    onSuccess: ({ name }) => toastDone(t.pushTurnedOn({ name })),
    onSettled: refresh,
  })
  const off = useMutation({
    mutationFn: forgetThisBrowser,
    onSuccess: () => toastDone(t.pushTurnedOff),
    onSettled: refresh,
  })
  const own = channels.find((channel) => channel.browser !== null && channel.browser === browser)
  const why = useViewing() ? t.pushViewing : whyNoPush()
  const error = on.error ?? off.error
  const button = own ? (
    <Button size="small" busy={off.isPending} onClick={() => off.mutate()}>
      {t.pushTurnOff}
    </Button>
  ) : (
    <Button size="small" busy={on.isPending} disabledBecause={why} onClick={() => on.mutate()}>
      {t.pushTurnOn}
    </Button>
  )
  return (
    <Card title={t.thisBrowser} actions={button}>
      <Column gap={10}>
        {own ? (
          <Row gap={8}>
            <Pill tone={own.state === 'active' ? 'ok' : 'idle'}>
              {own.state === 'active' ? t.pushOn : t.disabled}
            </Pill>
            <Text muted>{t.pushOnText({ name: own.name })}</Text>
          </Row>
        ) : (
          <Text muted>{why ?? t.pushLead}</Text>
        )}
        {error ? (
          <Note tone="err" role="alert" title={on.error ? t.pushNotOn : t.notDone}>
            <Text>{error.message}</Text>
          </Note>
        ) : null}
      </Column>
    </Card>
  )
}
