--[[
Stores new runs, except those that exist already. On a cluster, all runs must be in the same slot.
KEYS for each run: run:{id}:state   run:{id}:ledger   run:{id}:evidence   run:{id}:draft
ARGV[1] retention (ms), then for each run: version   run as text
policy as text, or '=' if the run has the same policy as the run before   open task ids, space-delimited
status   hash of the request body, or '' if the run has a random id
the time (ms) after which the retention begins   number of events   events as JSON
Returns for each run {'created'}, {'exists', run, policy} if the run exists with the same body,
or {'conflict'} if it exists with another body.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local retention, policy = ARGV[1], nil

local function create(state, ledger, evidence, draft, at)
  local held = redis.call('HMGET', state, 'body', 'run', 'policy')
  if held[2] then
    if held[1] == ARGV[at + 5] then return { 'exists', held[2], held[3] } end
    return { 'conflict' }
  end
  local expiry = math.max(tonumber(ARGV[at + 6]), now) + tonumber(retention)
  redis.call('HSET', state, 'version', ARGV[at], 'run', ARGV[at + 1], 'policy', policy, 'open', ARGV[at + 3], 'status', ARGV[at + 4],
    'body', ARGV[at + 5], 'retention', retention, 'expiry', string.format('%.0f', expiry))
  redis.call('PEXPIREAT', state, expiry)
  -- A client chose this id, so an earlier run may have used the same id. If only the state of that run was lost, its
  -- other keys are deleted here.
  if ARGV[at + 5] ~= '' then redis.call('DEL', ledger, evidence, draft) end
  for i = at + 8, at + 7 + ARGV[at + 7] do redis.call('XADD', ledger, '*', 'e', ARGV[i]) end
  redis.call('PEXPIREAT', ledger, expiry)
  return { 'created' }
end

local at, replies = 2, {}
for i = 1, #KEYS, 4 do
  if ARGV[at + 2] ~= '=' then policy = ARGV[at + 2] end
  replies[#replies + 1] = create(KEYS[i], KEYS[i + 1], KEYS[i + 2], KEYS[i + 3], at)
  at = at + 8 + ARGV[at + 7]
end
return replies
