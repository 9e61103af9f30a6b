--[[
Creates a batch, unless the id exists already. The caller must have stored the lines of the batch before.
KEYS[1] batches:{tenant}:batch:<id>   KEYS[2] batches:{tenant}:open   KEYS[3] batches:{tenant}:list
ARGV[1] id   ARGV[2] the batch as JSON   ARGV[3] hash of its body   ARGV[4] number of lines   ARGV[5] now (ms)
ARGV[6] expiry (ms)   ARGV[7] limit of a tenant's batches in progress   ARGV[8] length of the list
ARGV[9] expiry of the list (ms)
Returns 'created', 'exists' if the id exists with the same body, 'conflict' if the id exists with another body,
or 'too-many' if the tenant's limit is reached.
]]
local held = redis.call('HGET', KEYS[1], 'body')
if held then return held == ARGV[3] and 'exists' or 'conflict' end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[7]) then return 'too-many' end
redis.call('HSET', KEYS[1], 'told', ARGV[2], 'body', ARGV[3], 'total', ARGV[4], 'claimed', 0, 'status', 'running')
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
redis.call('ZADD', KEYS[3], ARGV[5], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -ARGV[8] - 1)
redis.call('PEXPIRE', KEYS[3], ARGV[9])
return 'created'
