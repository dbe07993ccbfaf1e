CREATE TABLE "disputes_without_refund" (
	"payment_id" uuid,
	"external_ref" text,
	"state" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "disputes_without_refund_pkey" PRIMARY KEY("payment_id","external_ref")
);
--> statement-breakpoint
ALTER TABLE "disputes_without_refund" ADD CONSTRAINT "disputes_without_refund_payment_id_invoice_payments_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "invoice_payments"("id");