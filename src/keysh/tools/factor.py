"""factor - print the prime factors of numbers."""

from __future__ import annotations

import re
from math import gcd

from keysh.schema.declare import OutputStyle, command
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.shell_numbers import is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.interp.state.call import Call

MILLER_RABIN_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
BLANKS = re.compile(r"[ \t\n]+")
MAX_TRIAL_DIVISOR = 10_000  # larger divisors are searched for
MAX_NUMBER_DIGITS = 1000
GCD_BATCH_STEPS = 128  # steps of Pollard's rho for one gcd


@command(compatible="GNU coreutils 9.1", output=OutputStyle(lines=True))
def factor(
    sh: Call, *numbers: str, json: bool = False
) -> Iterator[str | dict[str, int | list[int]]]:
    """Print the prime factors of each number.

    numbers ...  the numbers; read from standard input if there are none
    --json       print JSON lines: number, factors
    """
    words = iter(numbers)
    if not numbers:
        words = (word for line in sh.stdin.lines() for word in BLANKS.split(line) if word)
    for word in words:
        digits = word.lstrip(" ").removeprefix("+")
        if not is_digits(digits) or len(digits) > MAX_NUMBER_DIGITS:
            sh.warn(f"{locale_quoted_text(word)} is not a valid positive integer")
            continue
        number = int(digits)
        factors = sorted(prime_factors(number, sh.tick))
        row: dict[str, int | list[int]] = {"number": number, "factors": factors}
        yield row if json else " ".join([f"{number}:", *map(str, factors)]) + "\n"


def prime_factors(number: int, tick: Callable[[], None]) -> Iterator[int]:
    """Yield the prime factors in any order; 0 and 1 have none."""
    if number < 2:
        return
    divisor = 2
    while divisor <= MAX_TRIAL_DIVISOR and divisor * divisor <= number:
        while not number % divisor:
            yield divisor
            number //= divisor
        divisor += 1 + (divisor > 2)
    unfactored = [number] if number > 1 else []
    while unfactored:
        number = unfactored.pop()
        if number < MAX_TRIAL_DIVISOR * MAX_TRIAL_DIVISOR or is_prime(number):
            yield number
        else:
            proper_divisor = find_divisor(number, tick)
            unfactored += proper_divisor, number // proper_divisor


def is_prime(number: int) -> bool:
    """Test a number without small divisors; exact below 3.3e24 (Miller and Rabin)."""
    twos = ((number - 1) & (1 - number)).bit_length() - 1
    odd = (number - 1) >> twos
    for base in MILLER_RABIN_BASES:
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


def find_divisor(number: int, tick: Callable[[], None]) -> int:
    """Find a divisor of a composite number (Pollard's rho in Brent's version)."""
    for step in range(1, number):
        tortoise = hare = previous = 2
        product, divisor, length = 1, 1, 1
        while divisor == 1:
            tortoise = hare
            for _ in range(length):
                hare = (hare * hare + step) % number
            done = 0
            while done < length and divisor == 1:
                tick()
                previous = hare
                for _ in range(min(GCD_BATCH_STEPS, length - done)):
                    hare = (hare * hare + step) % number
                    product = product * abs(tortoise - hare) % number
                divisor = gcd(product, number)
                done += GCD_BATCH_STEPS
            length *= 2
        if divisor == number:  # went too far: repeat the batch step by step
            divisor = 1
            while divisor == 1:
                previous = (previous * previous + step) % number
                divisor = gcd(abs(tortoise - previous), number)
        if divisor != number:
            return divisor
    raise AssertionError(number)
