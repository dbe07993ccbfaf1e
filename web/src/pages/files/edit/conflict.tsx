import { useState } from 'react'
import { Button } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Skeletons } from '../../../ui/notices/states.tsx'
import { Row } from '../../../ui/page/layout.tsx'
import { part } from '../../../ui/page/part.tsx'
import { useNarrow } from '../../../ui/page/use-narrow.ts'
import { Crumbs } from '../crumbs.tsx'
import styles from './edit.module.css'
import { t } from './words.ts'

const Merge = part(() => import('../../../ui/panes/merge.tsx'))

interface ConflictProps {
  serverId: string
  path: string
  isGone: boolean
  theirs: string
  mine: string
  mixedEnds: boolean
  busy: boolean
  /** Writes this text over the version of the server. */
  onSave: (text: string) => void
  onTheirs: () => void
}

/** Somebody else saved first: shows both versions, and lets the person merge them. */
export function Conflict(props: ConflictProps) {
  const { serverId, path, isGone, theirs, mine, mixedEnds, busy, onSave, onTheirs } = props
  const [merged, setMerged] = useState<{ text(): string } | null>(null)
  const narrow = useNarrow()
  if (isGone)
    return (
      <Note
        tone="warn"
        role="alert"
        title={t.deletedTitle}
        action={
          <Button kind="primary" busy={busy} onClick={() => onSave(mine)}>
            {t.makeAgain}
          </Button>
        }
      >
        {t.deletedText}
      </Note>
    )
  return (
    <>
      <Note tone="warn" role="alert" title={t.conflictTitle}>
        {narrow ? t.conflictTextNarrow : t.conflictText}
      </Note>
      <div className={styles.bar}>
        <Crumbs serverId={serverId} path={path} />
        <Row>
          <Button disabledBecause={busy ? t.save : undefined} onClick={onTheirs}>
            {t.useTheirs}
          </Button>
          <Button busy={busy} onClick={() => onSave(mine)}>
            {t.useMine}
          </Button>
          <Button
            kind="primary"
            busy={busy}
            // Nobody can have compared them before they are shown.
            disabledBecause={merged ? undefined : t.notShownYet}
            onClick={() => onSave(merged?.text() ?? mine)}
          >
            {t.saveMerged}
          </Button>
        </Row>
      </div>
      {narrow ? null : (
        <div className={styles.sides}>
          <span>{t.theirs}</span>
          <span>{t.mine}</span>
        </div>
      )}
      <Merge
        path={path}
        theirs={theirs}
        mine={mine}
        theirsLabel={t.theirs}
        mineLabel={t.mine}
        mixedEnds={mixedEnds}
        saving={busy}
        handle={setMerged}
        fallback={<Skeletons lines={14} />}
      />
    </>
  )
}
