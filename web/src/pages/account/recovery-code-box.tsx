import Download from 'lucide-react/icons/download'
import { Button } from '../../ui/buttons/button.tsx'
import { CommandBox } from '../../ui/data/copy.tsx'
import { saveText } from '../../ui/data/save-file.ts'
import { Row } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

/** Recovery codes to copy or to save as a file. */
export function RecoveryCodeBox({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n')
  const file = `${t.codesFile({ host: location.host })}\n${t.codesFileText}\n\n${text}\n`
  return (
    <>
      <CommandBox command={text} label={t.copyCodes} />
      <Row>
        <Button
          icon={<Download />}
          onClick={() => saveText(`recovery-codes-${location.hostname}.txt`, file)}
        >
          {t.download}
        </Button>
      </Row>
    </>
  )
}
