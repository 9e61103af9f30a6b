--[[
Adds a parked run (a run that waits for a review) to the desk list of its tenant, or removes the run from this list. The
call can be repeated safely.
KEYS[1] runs:parked:{tenant}:rows   KEYS[2] :groups   KEYS[3] :deadline   KEYS[4] :age   KEYS[5] :risk
KEYS[6] :texts (the words of each member)   KEYS[7] :vocabulary (all words, sorted)
ARGV[1] member: run id and task id   ARGV[2] its row, or '' for a removal   ARGV[3] prefix of the keys of words
ARGV[4] its group   ARGV[5 ... 7] its scores in deadline, age and risk   ARGV[8] its words, space-delimited
Each word also has its own key, which contains the members with that word. All keys are in the same slot.
Publishes a message on the channel with the name of KEYS[1] if a row changes or is removed. For a new row, the script
commit.lua publishes the message.
A stored row begins with its group and a line break, so that the count of the old group can be corrected when the row
changes.
]]
local member = ARGV[1]
local row = ARGV[2] ~= '' and ARGV[4] .. '\n' .. ARGV[2]

local function forget(words)
  for word in string.gmatch(words, '%S+') do
    redis.call('SREM', ARGV[3] .. word, member)
    if redis.call('EXISTS', ARGV[3] .. word) == 0 then redis.call('ZREM', KEYS[7], word) end
  end
end

local indexed = redis.call('HGET', KEYS[6], member)
local words = row and ARGV[8]
if indexed ~= words then
  if indexed then forget(indexed) end
  if words then
    for word in string.gmatch(words, '%S+') do
      redis.call('SADD', ARGV[3] .. word, member)
      redis.call('ZADD', KEYS[7], 0, word)
    end
    redis.call('HSET', KEYS[6], member, words)
  else
    redis.call('HDEL', KEYS[6], member)
  end
end

local held = redis.call('HGET', KEYS[1], member)
if held == row then return end
if held then
  local group = string.match(held, '^[^\n]*')
  if redis.call('HINCRBY', KEYS[2], group, -1) <= 0 then redis.call('HDEL', KEYS[2], group) end
end
if row then
  redis.call('HSET', KEYS[1], member, row)
  redis.call('HINCRBY', KEYS[2], ARGV[4], 1)
  for i = 3, 5 do redis.call('ZADD', KEYS[i], ARGV[i + 2], member) end
else
  redis.call('HDEL', KEYS[1], member)
  for i = 3, 5 do redis.call('ZREM', KEYS[i], member) end
end
if held then redis.call('PUBLISH', KEYS[1], '') end
