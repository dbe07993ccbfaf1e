import type { Plan } from '@lodge/shared/plans.ts'
import { Table } from '../../ui/data/table.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { priceText } from './price-words.ts'
import { t } from './words.ts'

/** The number of subscribers by price, including retired prices; renders nothing without any. */
export function PriceSubscribers({ plan: { subscribersByPrice } }: { plan: Plan }) {
  const former = subscribersByPrice
    .filter(({ retired }) => retired)
    .reduce((sum, { subscribers }) => sum + subscribers, 0)
  if (subscribersByPrice.length === 0) return null
  return (
    <Column gap={8}>
      {former === 0 ? null : <Text muted>{t.keepFormer({ count: former })}</Text>}
      <Table
        label={t.subscribersByPrice}
        rows={subscribersByPrice}
        keyOf={({ priceId }) => priceId}
        empty={null}
        columns={[
          {
            header: t.prices,
            role: 'title',
            cell: priceText,
          },
          { header: t.state, cell: ({ retired }) => (retired ? t.formerPrice : t.currentPrice) },
          { header: t.subscribers, right: true, cell: ({ subscribers }) => subscribers },
        ]}
      />
    </Column>
  )
}
