import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { Copyable } from '../../ui/data/copy.tsx'
import { Meter } from '../../ui/data/meter.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Column, Grid, Row, Text } from '../../ui/page/layout.tsx'
import { part } from '../../ui/page/part.tsx'
import type { LimitsView } from '../limits/limit-table.tsx'
import { limitName, usedWords, valueWords } from '../limits/limit-words.ts'
import { CustomerPill } from './customer-pill.tsx'
import { NoteText } from './note-text.tsx'
import { plansOf } from './plans-of.ts'
import { useCustomer } from './use-customer.ts'
import { t } from './words.ts'

const Subscriptions = part(() => import('../billing/of-customer/subscriptions-card.tsx'))

/** A customer at a glance: who they are, what they use, what they pay for, what staff last wrote about them. */
export default function SummaryTab() {
  const customer = useCustomer()
  const may = useMay()
  const limits = useQuery(q('GET /api/customers/{id}/limits', { params: { id: customer.id } }))
  return (
    <Column gap={24}>
      <Card title={t.usage}>
        <Loaded query={limits} lines={3}>
          {(view) => <Usage view={view} />}
        </Loaded>
      </Card>
      {may('billing.view') ? <Subscriptions userId={customer.id} email={customer.email} /> : null}
      <Grid least={340} gap={16} top>
        <Card title={t.account}>
          <Facts
            rows={[
              [t.state, <CustomerPill key="state" state={customer.state} />],
              [t.name, customer.name ?? <Unset key="name">{t.noName}</Unset>],
              [t.plan, limits.data ? <Plans key="plan" view={limits.data} /> : ''],
              [t.servers, customer.servers],
              [t.since, <Ago key="since" at={customer.createdAt} />],
              [t.id, <Copyable key="id" value={customer.id} label={t.copyId} />],
            ]}
          />
        </Card>
        <LatestNote />
      </Grid>
    </Column>
  )
}

const Unset = ({ children }: { children: string }) => <Text faint>{children}</Text>

function Plans({ view }: { view: LimitsView }) {
  const names = plansOf(view)
  return names.length === 0 ? <Unset>{t.noPlan}</Unset> : names.join(', ')
}

/** What the customer uses of each total, with its limit where there is one. */
function Usage({ view }: { view: LimitsView }) {
  const totals = view.limits.filter(
    ({ type, used, value }) =>
      type === 'total' && used !== null && (used > 0 || typeof value === 'number'),
  )
  if (totals.length === 0) return <Text muted>{t.usesNothing}</Text>
  return (
    <Column>
      <Grid least={220} gap={20} top>
        {totals.map(({ key, used, value }) =>
          typeof value === 'number' ? (
            <Meter
              key={key}
              label={limitName(key)}
              value={used}
              of={value}
              text={t.usedOf({ used: usedWords(key, used ?? 0), limit: valueWords(key, value) })}
            />
          ) : (
            <Row key={key} between>
              <Text small strong>
                {limitName(key)}
              </Text>
              <Text small muted>
                {t.usedWithoutLimit({ used: usedWords(key, used ?? 0) })}
              </Text>
            </Row>
          ),
        )}
      </Grid>
      {view.enforced ? null : (
        <Text small muted>
          {t.usageNotEnforced}
        </Text>
      )}
    </Column>
  )
}

function LatestNote() {
  const { id } = useCustomer()
  const notes = useQuery(
    q('GET /api/customers/{id}/notes', { params: { id }, query: { limit: 1 } }),
  )
  return (
    <Card
      title={t.latestNote}
      actions={
        <Link to={paths.customerNotes} params={{ id }}>
          {t.allNotes}
        </Link>
      }
    >
      <Loaded query={notes} lines={2}>
        {({ items: [note] }) =>
          note ? <NoteText note={note} /> : <Text muted>{t.noNoteYet}</Text>
        }
      </Loaded>
    </Card>
  )
}
