CREATE INDEX "email_messages_user" ON "email_messages" ("user_id");--> statement-breakpoint
CREATE INDEX "console_tickets_server" ON "console_tickets" ("server_id");--> statement-breakpoint
CREATE INDEX "console_tickets_user" ON "console_tickets" ("user_id");--> statement-breakpoint
CREATE INDEX "signup_invites_plan" ON "signup_invites" ("plan_id");--> statement-breakpoint
CREATE INDEX "signup_invites_creator" ON "signup_invites" ("created_by");--> statement-breakpoint
CREATE INDEX "signups_plan" ON "signups" ("plan_id");--> statement-breakpoint
CREATE INDEX "vm_boot_grants_node" ON "vm_boot_grants" ("node_id");--> statement-breakpoint
CREATE INDEX "vm_moves_other_node" ON "vm_moves" ("other_node_id");--> statement-breakpoint
CREATE INDEX "server_collaborators_inviter" ON "server_collaborators" ("invited_by");--> statement-breakpoint
CREATE INDEX "server_invitations_inviter" ON "server_invitations" ("invited_by");--> statement-breakpoint
CREATE INDEX "machines_image" ON "machines" ("image_id");--> statement-breakpoint
CREATE INDEX "machines_profile" ON "machines" ("profile_id");