/** Only the message of this error is shown, without a stack trace. */
export class Fault extends Error {}
