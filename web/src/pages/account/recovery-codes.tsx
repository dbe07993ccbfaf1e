import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { RecoveryCodeBox } from './recovery-code-box.tsx'

/** New recovery codes, shown only once. */
export function RecoveryCodes({
  codes,
  onClose,
}: {
  codes: readonly string[] | undefined
  onClose: () => void
}) {
  return (
    <Dialog title="Save your recovery codes" opened={codes !== undefined} onClose={onClose}>
      <Column gap={14}>
        <Text>
          Each code signs you in once if you lose your other factors. They are shown only now: save
          them where you keep your passwords.
        </Text>
        <RecoveryCodeBox codes={codes ?? []} />
        <Row end>
          <Button kind="primary" onClick={onClose}>
            I saved them
          </Button>
        </Row>
      </Column>
    </Dialog>
  )
}
