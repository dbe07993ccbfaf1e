import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Button } from '../../buttons/button.tsx'
import { Note } from '../../notices/note.tsx'
import { ProblemNote } from '../../notices/problem-note.tsx'
import { Row } from '../../page/layout.tsx'
import CommandView from '../commands/command-view.tsx'
import styles from './palette.module.css'
import type { Stage } from './palette-command.ts'
import { t } from './words.ts'

/** A chosen command: its confirmation, its result, or the call behind it. */
export function Chosen({
  stage,
  onBack,
  onAgree,
  onClose,
}: {
  stage: Exclude<Stage, { of: 'list' }>
  onBack: () => void
  onAgree: () => void
  onClose: () => void
}) {
  const { command } = stage
  return (
    <div className={styles.chosen}>
      <h2>{command.label}</h2>
      {stage.of === 'confirm' ? (
        <>
          <p>{command.confirm}</p>
          <Row>
            <Button kind="primary" autoFocus onClick={onAgree}>
              {command.label}
            </Button>
            <Button onClick={onBack}>{t.cancel}</Button>
          </Row>
          {command.call ? <CommandView call={command.call} /> : null}
        </>
      ) : null}
      {stage.of === 'busy' ? <p role="status">{t.busy}</p> : null}
      {stage.of === 'command' && command.call ? <CommandView call={command.call} /> : null}
      {stage.of === 'done' ? (
        <Note tone="ok" role="status">
          {stage.message}
        </Note>
      ) : null}
      {stage.of === 'refused' ? <ProblemNote error={stage.error} /> : null}
      {stage.of === 'done' || stage.of === 'refused' || stage.of === 'command' ? (
        <Row>
          {stage.of === 'command' ? null : (
            <Button autoFocus onClick={onClose}>
              {t.close}
            </Button>
          )}
          <Button kind="quiet" icon={<ArrowLeft />} onClick={onBack}>
            {t.back}
          </Button>
        </Row>
      ) : null}
    </div>
  )
}
