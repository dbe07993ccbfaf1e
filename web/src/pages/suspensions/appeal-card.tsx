import { type Appeal, type AppealState, awaitsStaff } from '@lodge/shared/suspensions.ts'
import type { Tone } from '@lodge/shared/theme/tokens.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { Conversation } from './conversation.tsx'
import { t } from './words.ts'

const toneOf = (state: AppealState): Tone =>
  awaitsStaff(state) ? 'warn' : state === 'granted' ? 'ok' : state === 'answered' ? 'info' : 'idle'

/** @param own for the customer who appeals */
export const AppealPill = ({ state, own = false }: { state: AppealState; own?: boolean }) => (
  <Pill tone={toneOf(state)}>{t.appealState({ state, own: String(own) })}</Pill>
)

/** An appeal as staff see it. */
export function AppealCard({ customerId, appeal }: { customerId: string; appeal: Appeal }) {
  return (
    <Column gap={10}>
      <Row>
        <AppealPill state={appeal.state} />
        <Text small muted>
          <Ago at={appeal.openedAt} />
        </Text>
      </Row>
      <Conversation
        appeal={appeal}
        files={`/api/customers/${encodeURIComponent(customerId)}/suspension/attachments`}
      />
    </Column>
  )
}
