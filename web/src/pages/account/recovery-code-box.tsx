import Download from 'lucide-react/icons/download'
import { Button } from '../../ui/buttons/button.tsx'
import { CommandBox } from '../../ui/data/copy.tsx'
import { saveText } from '../../ui/data/save-file.ts'
import { Row } from '../../ui/page/layout.tsx'

/** Recovery codes to copy or to save as a file. */
export function RecoveryCodeBox({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n')
  const file = `Recovery codes for ${location.host}\nEach signs you in once.\n\n${text}\n`
  return (
    <>
      <CommandBox command={text} label="Copy the recovery codes" />
      <Row>
        <Button
          icon={<Download />}
          onClick={() => saveText(`recovery-codes-${location.hostname}.txt`, file)}
        >
          Download
        </Button>
      </Row>
    </>
  )
}
