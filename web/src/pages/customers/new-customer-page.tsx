import { Link, useNavigate } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { CustomerForm } from './customer-form.tsx'
import { t } from './words.ts'

export default function NewCustomerPage() {
  const navigate = useNavigate()
  return (
    <Page title={t.newCustomer} crumbs={<Link to={paths.customers}>{t.customers}</Link>} narrow>
      <Card>
        <CustomerForm
          onDone={(customer) => {
            toastDone(t.created, customer.email)
            void navigate({ to: paths.customer, params: { id: customer.id } })
          }}
        />
      </Card>
    </Page>
  )
}
