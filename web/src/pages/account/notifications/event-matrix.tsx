import type { NotificationChannel } from '@lodge/shared/notification-channels.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Reply } from '../../../api.ts'
import { said } from '../../../panel/said.ts'
import { q } from '../../../query.ts'
import { BareTick } from '../../../ui/choices/bare-tick.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { wordOf } from '../../../ui/data/known.ts'
import { Pill } from '../../../ui/data/status.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { useNarrow } from '../../../ui/page/use-narrow.ts'
import styles from './event-matrix.module.css'
import { t } from './words.ts'

type KnownEvent = Reply<'GET /api/notification-events'>['items'][number]
type Chosen = Readonly<Record<string, readonly string[]>>

const GROUPS = {
  servers: () => t.groupServers,
  backups: () => t.groupBackups,
  limits: () => t.groupLimits,
  account: () => t.groupAccount,
  host: () => t.groupHost,
}

/** Which event goes to which channel, in collapsible groups. */
export function EventMatrix({ channels }: { channels: readonly NotificationChannel[] }) {
  const events = useQuery(q('GET /api/notification-events'))
  return (
    <Card title={t.matrixTitle}>
      <Loaded query={events} lines={6}>
        {({ items }) => (
          // Recreated after each change from elsewhere, so that no outdated choice overwrites it.
          <Matrix
            key={channels.map(({ id, events: chosen }) => `${id}${chosen}`).join()}
            channels={channels}
            events={items}
          />
        )}
      </Loaded>
    </Card>
  )
}

interface MatrixProps {
  channels: readonly NotificationChannel[]
  events: readonly KnownEvent[]
}

function Matrix({ channels, events }: MatrixProps) {
  const narrow = useNarrow()
  const [only, setOnly] = useState(channels[0]?.id ?? '')
  const initial: Chosen = Object.fromEntries(channels.map((one) => [one.id, one.events]))
  const form = useForm<Chosen, unknown>({
    initial,
    submit: (values) =>
      Promise.all(
        channels
          .filter(({ id }) => values[id] !== initial[id])
          .map(({ id }) =>
            api('PATCH /api/notification-channels/{id}', {
              params: { id },
              body: { events: [...(values[id] ?? [])] },
            }),
          ),
      ),
    refreshes: ['GET /api/notification-channels'],
    done: () => toastDone(t.eventsSaved),
  })
  // A narrow screen has room for the checkboxes of one channel.
  const shown = narrow ? channels.filter(({ id }) => id === only) : channels
  const put = (channelId: string, types: readonly string[], on: boolean): void => {
    const rest = (form.values[channelId] ?? []).filter((type) => !types.includes(type))
    form.set(channelId, on ? [...rest, ...types] : rest)
  }
  const groups = [...new Set(events.map(({ group }) => group))]
  return (
    <Form
      form={form}
      submitText={t.saveEvents}
      disabledBecause={form.changed.length === 0 ? t.nothingChanged : undefined}
    >
      <Text muted>{t.matrixLead}</Text>
      {narrow && channels.length > 1 ? (
        <SelectField
          label={t.channelShown}
          value={only}
          choices={channels.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setOnly}
        />
      ) : null}
      {groups.map((group, at) => (
        <Group
          key={group}
          name={wordOf(GROUPS, group)}
          open={at === 0}
          channels={shown}
          events={events.filter((event) => event.group === group)}
          chosen={form.values}
          onPut={put}
        />
      ))}
    </Form>
  )
}

interface GroupProps extends MatrixProps {
  name: string
  open: boolean
  chosen: Chosen
  onPut: (channelId: string, types: readonly string[], on: boolean) => void
}

function Group({ name, open, channels, events, chosen, onPut }: GroupProps) {
  const types = events.map(({ type }) => type)
  const of = (id: string) => types.filter((type) => chosen[id]?.includes(type)).length
  const count = channels.reduce((sum, { id }) => sum + of(id), 0)
  return (
    <details className={styles.group} open={open}>
      <summary>
        <b>{name}</b> <span>{t.chosen({ count })}</span>
      </summary>
      <div className={styles.scrolls}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t.event}</th>
              {channels.map(({ id, name: channel }) => (
                <th key={id} scope="col" title={channel}>
                  {channel}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr className={styles.all}>
              <th scope="row">{t.all}</th>
              {channels.map(({ id, name: channel }) => (
                <td key={id}>
                  <BareTick
                    label={t.tickGroup({ group: name, channel })}
                    checked={of(id) === types.length}
                    indeterminate={of(id) > 0 && of(id) < types.length}
                    onChange={(on) => onPut(id, types, on)}
                  />
                </td>
              ))}
            </tr>
            {events.map(({ type, title, forStaff }) => (
              <tr key={type}>
                <th scope="row" title={type}>
                  {said(title)} {forStaff ? <Pill tone="info">{t.forStaff}</Pill> : null}
                </th>
                {channels.map(({ id, name: channel }) => (
                  <td key={id}>
                    <BareTick
                      label={t.tick({ event: said(title), channel })}
                      checked={chosen[id]?.includes(type) ?? false}
                      onChange={(on) => onPut(id, [type], on)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
