import type { StorePlan } from '@lodge/shared/billing/billing.ts'
import type { Cycle } from '@lodge/shared/billing/cycles.ts'
import { useState } from 'react'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { formatMib } from '../../../ui/data/numbers.ts'
import { Pill } from '../../../ui/data/status.tsx'
import { writeCores } from '../../../ui/fields/size.ts'
import { Card } from '../../../ui/page/card.tsx'
import { Row, Text } from '../../../ui/page/layout.tsx'
import { includedWords } from '../../limits/included-words.ts'
import { moneyText } from '../money-words.ts'
import { t } from '../words.ts'
import { buyAddress } from './asked-plan.ts'
import { CheckoutDialog } from './checkout-dialog.tsx'
import styles from './store.module.css'

interface PlanCardProps {
  plan: StorePlan
  cycle: Cycle
  signedIn: boolean
  /** The id of the plan in the link that led here. */
  link: string | undefined
  /** Whether somebody chose it before they signed in. */
  asked: boolean
}

/** The number left at which the card mentions it. */
const FEW = 10

/**
 * One plan with what it contains and costs; if it has no price for the cycle, with its first price.
 */
export function PlanCard({ plan, cycle, signedIn, link, asked }: PlanCardProps) {
  const { name, description, features, preset, prices, available } = plan
  const [buying, setBuying] = useState(asked && signedIn && available !== 0)
  const price = prices.find((one) => one.cycle === cycle) ?? prices[0]
  if (!price) return null
  const { amount, currency, cycle: often, setupFee, trialDays } = price
  const lines = [...new Set([...includedWords(preset?.limits), ...features])]
  return (
    <Card title={name}>
      <div className={styles.plan}>
        <div>
          <div className={styles.price}>{amount === 0 ? t.free : moneyText(amount, currency)}</div>
          {setupFee > 0 || amount > 0 ? (
            <Text small muted>
              {setupFee > 0
                ? t.paidWithSetup({ cycle: often, amount: moneyText(setupFee, currency) })
                : t.paidEvery({ cycle: often })}
            </Text>
          ) : null}
        </div>
        {trialDays > 0 ? (
          <Row>
            <Pill tone="info">{t.trial({ count: trialDays })}</Pill>
          </Row>
        ) : null}
        {description === '' ? null : <Text>{description}</Text>}
        {preset ? (
          <Text muted>
            {preset.vm
              ? t.machineSize({
                  vcpus: preset.vm.vcpus,
                  memory: formatMib(preset.memoryMb),
                  disk: formatMib(preset.diskMb),
                })
              : t.serverSize({
                  memory: formatMib(preset.memoryMb),
                  cores: writeCores(preset.cpuPercent),
                  disk: formatMib(preset.diskMb),
                })}
          </Text>
        ) : null}
        {lines.length === 0 ? null : (
          <ul className={styles.features}>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        {available !== null && available > 0 && available <= FEW ? (
          <Text small muted>
            {t.left({ count: available })}
          </Text>
        ) : null}
        {signedIn ? (
          <Button
            kind="primary"
            full
            disabledBecause={available === 0 ? t.soldOut : undefined}
            onClick={() => setBuying(true)}
          >
            {available === 0 ? t.soldOut : t.buy({ plan: name })}
          </Button>
        ) : available === 0 ? (
          <Text muted>{t.soldOut}</Text>
        ) : (
          <LinkButton
            to={paths.signIn}
            search={{ next: buyAddress(plan.id, often, link) }}
            kind="primary"
          >
            {t.signInToBuy}
          </LinkButton>
        )}
      </div>
      {buying ? (
        <CheckoutDialog plan={plan} price={price} onClose={() => setBuying(false)} />
      ) : null}
    </Card>
  )
}
