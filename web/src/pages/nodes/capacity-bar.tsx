import type { CSSProperties } from 'react'
import { rich } from '../../ui/page/rich.ts'
import { type Capacity, markOf, overcommitOf, scaleOf, shareOf } from './capacity.ts'
import styles from './capacity-bar.module.css'
import { t } from './words.ts'

/**
 * One resource of a node: a lane for what is used now, one for what is allocated to servers, both on
 * one scale, with a mark where allocation or the machine ends, whichever is less.
 */
export function CapacityBar({ capacity }: { capacity: Capacity }) {
  const { label, physical, limit, allocated, used, write, set } = capacity
  const overcommit = overcommitOf(capacity)
  if (scaleOf(capacity) === 0)
    return (
      <div className={styles.capacity}>
        <b>{label}</b>
        <small>{t.capacityUnknown}</small>
      </div>
    )
  return (
    <div className={styles.capacity}>
      <div className={styles.head}>
        <b>{label}</b>
        <span>{physical === null ? '' : write(physical)}</span>
      </div>
      <Lanes capacity={capacity} />
      <dl>
        {used === null ? null : (
          <div>
            <dt data-lane="used" data-full={isFull(used, physical) || undefined}>
              {t.usedNow}
            </dt>
            <dd>
              {physical === null
                ? write(used)
                : t.usedShare({ used: write(used), percent: shareOf(used, physical) })}
            </dd>
          </div>
        )}
        <div>
          <dt data-lane="allocated">{t.allocated}</dt>
          <dd>{t.amountOf({ amount: write(allocated), all: write(limit) })}</dd>
        </div>
      </dl>
      {set ? (
        <small>
          {overcommit === undefined ? t.setByHand : t.setByHandOver({ percent: overcommit })}
        </small>
      ) : null}
    </div>
  )
}

/** The same for a cell of a table. */
export function CapacityCell({ capacity }: { capacity: Capacity }) {
  const { physical, limit, allocated, used, write } = capacity
  if (scaleOf(capacity) === 0) return <span className={styles.unknown}>{t.notKnown}</span>
  return (
    <div className={styles.cell}>
      <span>
        {rich(
          t.amountOfCell({
            amount: write(allocated),
            all: write(limit),
            small: (text) => <small>{text}</small>,
          }),
        )}
      </span>
      <Lanes capacity={capacity} />
      <small>
        {used === null || physical === null
          ? t.usageUnknown
          : t.usedPercent({ percent: shareOf(used, physical) })}
      </small>
    </div>
  )
}

function Lanes({ capacity }: { capacity: Capacity }) {
  const { label, physical, limit, allocated, used, write } = capacity
  const scale = scaleOf(capacity)
  const mark = markOf(capacity)
  return (
    <div
      className={styles.lanes}
      style={{ '--mark': `${shareOf(mark ?? 0, scale)}%` } as CSSProperties}
      data-marked={mark !== undefined || undefined}
    >
      <Lane
        kind="used"
        label={t.laneUsed({ resource: label })}
        amount={used ?? 0}
        of={physical ?? scale}
        scale={scale}
        text={
          used === null
            ? t.amountUnknown
            : t.amountOf({ amount: write(used), all: write(physical ?? scale) })
        }
      />
      <Lane
        kind="allocated"
        label={t.laneAllocated({ resource: label })}
        amount={allocated}
        of={limit}
        scale={scale}
        text={t.amountOf({ amount: write(allocated), all: write(limit) })}
      />
    </div>
  )
}

const isFull = (used: number, physical: number | null): boolean =>
  physical !== null && shareOf(used, physical) >= 90

interface LaneProps {
  kind: 'used' | 'allocated'
  label: string
  amount: number
  /** The amount at 100%. */
  of: number
  /** The amount at the full length of the bar. */
  scale: number
  text: string
}

function Lane({ kind, label, amount, of, scale, text }: LaneProps) {
  const percent = shareOf(amount, of)
  const full = kind === 'used' ? isFull(amount, of) : percent > 100
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> cannot be drawn as one of two lanes
    <div
      role="meter"
      className={styles.lane}
      data-lane={kind}
      data-full={full || undefined}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, percent)}
      aria-valuetext={text}
    >
      <div className={styles.fill} style={{ width: `${Math.min(100, shareOf(amount, scale))}%` }} />
    </div>
  )
}
