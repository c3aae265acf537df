"""Checks whether other users can put a socket, or a link to one, where the client looks for the daemon."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from typing import Optional


class Trust:
    """A folder, judged along the path from the root for the user of this process.

    `problem` is why other users can change its content; None: only this user and root can. `host` is the user to whom root gave the
    folder, or one above it, as it does for a service. That user may answer there.
    """

    def __init__(self, path: str, found: os.stat_result, above: Optional[Trust] = None) -> None:
        self.path = path
        self.owner = found.st_uid
        #: Whether its group or all users may write to it.
        self.is_open = bool(found.st_mode & 0o022)
        # A group with this user as its only member is equivalent to the user. Many systems create folders this way.
        private = found.st_gid == _private_group()
        self._is_open_to_others = bool(found.st_mode & (0o002 if private else 0o022))
        self.is_sticky = bool(found.st_mode & stat.S_ISVTX)
        # In a user namespace root has no number, so the system's folders belong to the owner of "/".
        self._system: int = above._system if above else found.st_uid
        self._above = (above._above or above._problem_as_way()) if above else None
        self._given_to: Optional[int] = None
        if above is None or above._is_open_to_others:
            return
        if above._given_to is not None:
            if self.owner in (above._given_to, os.geteuid(), 0):
                self._given_to = above._given_to
        elif above.problem is None and above.owner in (0, self._system) and self.owner not in (0, os.geteuid()):
            self._given_to = self.owner

    @property
    def problem(self) -> Optional[str]:
        """Why other users can change the folder's content. A sticky folder like /tmp is acceptable."""
        return self._above or self._problem_of_owner() or self._problem_of_mode()

    @property
    def host(self) -> Optional[int]:
        """The user who may answer in it, besides this user and root."""
        return None if self.is_open else self._given_to

    def _problem_of_owner(self) -> Optional[str]:
        return None if self.owner in (0, os.geteuid()) else f"the folder {self.path} belongs to user {self.owner}"

    def _problem_of_mode(self) -> Optional[str]:
        return f"others can write to the folder {self.path}" if self.is_open and not self.is_sticky else None

    def _problem_as_way(self) -> Optional[str]:
        problem = None if self.owner == self._system else self._problem_of_owner()
        return problem or (self._problem_of_mode() if self._is_open_to_others else None)

    def forbids_link(self, owner: int) -> bool:
        """Whether another user may have put a link of this owner in the folder."""
        return (
            owner not in (0, os.geteuid())
            or self._is_open_to_others
            or bool(self._above or self._problem_of_owner())
        )


def _private_group() -> Optional[int]:
    """The group that has the user's name and no other members."""
    try:
        account = pwd.getpwuid(os.geteuid())
        group = grp.getgrgid(account.pw_gid)
    except KeyError:
        return None
    alone = group.gr_name == account.pw_name and set(group.gr_mem) <= {account.pw_name}
    return account.pw_gid if alone else None


def judge(folder: str) -> Trust:
    """Returns the judged folder of a path. Raises PermissionError for a link that another user may have put there, or OSError."""
    stack = [Trust("/", os.lstat("/"))]
    names = os.path.abspath(folder).split("/")[::-1]
    links = 0
    while names:
        name = names.pop()
        if name in ("", "."):
            continue
        if name == "..":
            stack = stack[:-1] or stack
            continue
        path = os.path.join(stack[-1].path, name)
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            links += 1
            if links > 40 or stack[-1].forbids_link(found.st_uid):
                raise PermissionError(f"the link {path} is not followed: others may have put it there")
            target = os.readlink(path)
            if target.startswith("/"):
                stack = stack[:1]
            names += target.split("/")[::-1]
        elif stat.S_ISDIR(found.st_mode):
            stack.append(Trust(path, found, stack[-1]))
        else:
            raise NotADirectoryError(f"{path} is not a folder")
    return stack[-1]
