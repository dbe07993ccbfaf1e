import type { NotificationChannel } from '@lodge/shared/notification-channels.ts'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CommandBox } from '../../../ui/data/copy.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../../ui/page/layout.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { ChannelDialog } from './channel-dialog.tsx'
import { ChannelLog } from './channel-log.tsx'
import { ChannelTable } from './channel-table.tsx'
import { EventMatrix } from './event-matrix.tsx'
import { ThisBrowser } from './this-browser.tsx'
import { t } from './words.ts'

type Shown =
  | { readonly what: 'new' }
  | { readonly what: 'edit' | 'log'; readonly channel: NotificationChannel }

const readAbout = (words: string) => (
  <a href={panelPath('help', { name: 'notifications' })} target="_blank" rel="noreferrer">
    {words}
  </a>
)
const toInbox = (words: string) => <Link to={paths.notifications}>{words}</Link>

/** The channels of the account, and which events each gets. */
export default function NotificationsTab() {
  const channels = useQuery(q('GET /api/notification-channels'))
  const [shown, setShown] = useState<Shown>()
  const [secret, setSecret] = useState<string>()
  const close = () => setShown(undefined)
  const isEmpty = channels.data?.items.length === 0
  return (
    <Stack>
      <Text muted>{rich(t.lead({ inbox: toInbox, link: readAbout }))}</Text>
      {secret === undefined ? null : (
        <Note tone="ok" title={t.secretTitle} role="status">
          <Stack gap={8}>
            <Text>{t.secretText}</Text>
            <CommandBox command={secret} label={t.copySecret} />
          </Stack>
        </Note>
      )}
      <Card
        title={t.channels}
        flush={!isEmpty}
        actions={
          <Button size="small" kind="primary" onClick={() => setShown({ what: 'new' })}>
            {t.addChannel}
          </Button>
        }
      >
        <Loaded query={channels} lines={2}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={t.none} art="bell">
                {t.noneText}
              </Empty>
            ) : (
              <ChannelTable
                items={items}
                onEdit={(channel) => setShown({ what: 'edit', channel })}
                onLog={(channel) => setShown({ what: 'log', channel })}
                onSecret={setSecret}
              />
            )
          }
        </Loaded>
      </Card>
      {channels.data ? <ThisBrowser channels={channels.data.items} /> : null}
      {channels.data && !isEmpty ? <EventMatrix channels={channels.data.items} /> : null}
      {shown?.what === 'new' ? <ChannelDialog onClose={close} onSecret={setSecret} /> : null}
      {shown?.what === 'edit' ? (
        <ChannelDialog channel={shown.channel} onClose={close} onSecret={setSecret} />
      ) : null}
      {shown?.what === 'log' ? <ChannelLog channel={shown.channel} onClose={close} /> : null}
    </Stack>
  )
}
