/** An expected error. The user sees only its message, without a stack trace. */
export class Fault extends Error {}
